/* A library that is no module of learned methods at all. */
__attribute__((visibility("default"))) int foreign(void) { return 1; }
