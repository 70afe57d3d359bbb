# Two commands for users: `make demo` and `make test`. Each does all its set-up on a fresh Debian 12
# machine (packages, configure, build) and then runs; a second call starts at once.

BUILD     := build
GENERATOR := -G Ninja
BERTH     := $(BUILD)/berth
JOBS      := $(shell nproc)
PREFIX    ?= /usr/local

.PHONY: help demo test test-long bench bench-search policy asan fuzz odr lint format install clean setup configure build program tests

help:
	@echo "make demo          place GPT-2 on two RTX 3090, compare with baselines, write a report"
	@echo "make test          run the tests"
	@echo "make test-long     run the long tests and keep the result in docs/results/"
	@echo "make bench         measure the simulator and the readers"
	@echo "make bench-search  measure auto and the placers on pinned problems, into docs/results/"
	@echo "make policy        train the policy that ships anew, into policies/ (ten minutes)"
	@echo "make asan          run all tests under address and undefined-behaviour sanitizers"
	@echo "make fuzz          fuzz every reader for 60 s each (SECONDS_EACH=60)"
	@echo "make odr           compare all definitions at link time"
	@echo "make lint          check formatting and run clang-tidy"
	@echo "make format        format the sources"
	@echo "make install       install the program under PREFIX ($(PREFIX))"

# Each phase of the set-up is a line; what it prints is in $(BUILD)/log, and shown when it fails.
PHASE := scripts/phase.sh $(BUILD)/log

setup:
	@$(PHASE)/packages.log "Packages" scripts/setup.sh build

# The demo configures less.
configure: setup
	@test -f $(BUILD)/build.ninja && grep -q BERTH_TESTS:BOOL=ON $(BUILD)/CMakeCache.txt || \
	  $(PHASE)/configure.log "Configuring" cmake -S . -B $(BUILD) $(GENERATOR) \
	    -DCMAKE_BUILD_TYPE=Release -DBERTH_TESTS=ON -DBERTH_BENCH=ON

build: configure
	@$(PHASE)/build.log "Building everything" cmake --build $(BUILD)

# What is to be shown or installed needs neither tests nor benchmarks built, and tests no benchmarks.
program: configure
	@$(PHASE)/program.log "Building the program" cmake --build $(BUILD) --target program

tests: configure
	@$(PHASE)/tests.log "Building the program and the tests" \
	  cmake --build $(BUILD) --target program tests/all

demo:
	@scripts/demo.sh $(BUILD)

test: tests
	@cd $(BUILD) && ctest -LE long -j$(JOBS) --output-on-failure --progress

test-long: tests
	@scripts/test_long.sh $(BUILD)

bench: build
	@scripts/bench.sh $(BUILD)

# ARGS="--against before.json" compares, ARGS="--seconds 0.1" tries it out.
bench-search: build
	@scripts/bench_search.sh $(BUILD) $(ARGS)

policy: program
	@scripts/train_policy.sh $(BERTH)

asan: setup
	@test -f build-asan/build.ninja || cmake -S . -B build-asan $(GENERATOR) -DBERTH_SANITIZE=ON -DBERTH_BENCH=OFF
	@cmake --build build-asan
	@cd build-asan && ctest -LE long -j$(JOBS) --output-on-failure --progress

SECONDS_EACH ?= 60
fuzz:
	@scripts/setup.sh build fuzz
	@fuzz/run.sh $(SECONDS_EACH)

# Whether any name of ours means two things in one process; see cmake/odr.cmake.
odr: setup
	@test -f build-odr/build.ninja || $(PHASE)/odr-configure.log "Configuring" \
	  cmake -S . -B build-odr $(GENERATOR) -DCMAKE_BUILD_TYPE=Release -DBERTH_ODR=ON
	@$(PHASE)/odr.log "Comparing all definitions at link time (-Wodr)" \
	  cmake --build build-odr --target odr

lint:
	@scripts/setup.sh build lint
	@scripts/lint.sh

format:
	@scripts/setup.sh lint
	@git ls-files '*.h' '*.cc' | xargs clang-format-14 -i

install: program
	@cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	rm -rf build build-asan build-fuzz build-lint build-odr
