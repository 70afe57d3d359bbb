/* A module of learned methods that was built from other sources: its table says so. */
struct table {
  const char *version;
  const char *build_id;
  const void *module;
};

__attribute__((visibility("default"))) const struct table *berth_learn_table(void) {
  static const struct table table = {"0.0.9", "0123456789abcdef", 0};
  return &table;
}
