# Two commands for users: `make demo` and `make test`. Each does all its set-up on a fresh Debian 12
# machine (packages, configure, build) and then runs; a second call starts at once.

BUILD     := build
GENERATOR := -G Ninja
BERTH     := $(BUILD)/berth
JOBS      := $(shell nproc)
PREFIX    ?= /usr/local

.PHONY: help demo test test-long check bench bench-search bench-learn policy asan fuzz odr lint format install deb \
        check-deb clean setup configure build program tests installable

help:
	@echo "make demo          place GPT-2 on two RTX 3090, compare with baselines, write a report"
	@echo "make test          run the tests"
	@echo "make test-long     run the long tests and write the results to docs/results/"
	@echo "make check         run what must pass before a change is submitted: format, clang-tidy on"
	@echo "                   changed files (BASE=main), builds without libtorch and ONNX data, sanitizers"
	@echo "make bench         measure the simulator and the readers"
	@echo "make bench-search  measure auto and the placers on fixed problems; writes docs/results/"
	@echo "make bench-learn   measure the learned methods beside controls; hours, can be continued"
	@echo "make policy        train the policy that ships with Berth again; writes policies/ (15 min)"
	@echo "make asan          run all tests under address and undefined-behaviour sanitizers"
	@echo "make fuzz          fuzz every reader for 60 s each (SECONDS_EACH=60)"
	@echo "make odr           check the one-definition rule at link time"
	@echo "make lint          check formatting and run clang-tidy"
	@echo "make format        format the sources"
	@echo "make install       build with the installed packages, and install under PREFIX ($(PREFIX))"
	@echo "make deb           write Debian packages into $(BUILD)/"
	@echo "make check-deb     test the packages on a minimal Debian (needs root; LEARNED=1)"

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

# Steps can be chosen: make check STEPS="format tidy".
check:
	@$(PHASE)/packages-check.log "Packages" scripts/setup.sh build lint
	@scripts/check.sh $(STEPS)

bench: build
	@scripts/bench.sh $(BUILD)

# ARGS="--against before.json" compares, ARGS="--seconds 0.1" tries it out.
bench-search: build
	@scripts/bench_search.sh $(BUILD) $(ARGS)

# Stopped and started again, it continues; FOLDER=runs keeps the runs, ARGS="--part published" takes
# a part of them, RESTORE=1 takes the results that docs/results/ has as done.
bench-learn: program
	@scripts/bench_learn.sh $(BERTH) $(or $(FOLDER),$(BUILD)/learn) $(ARGS)

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

# Who installs may have no right to install packages, and is not asked for it: a build that is there
# is used as it is configured, and otherwise what is missing is named.
installable:
	@test -f $(BUILD)/build.ninja || { \
	  scripts/setup.sh --check needed && \
	  $(PHASE)/configure.log "Configuring" cmake -S . -B $(BUILD) $(GENERATOR) \
	    -DCMAKE_BUILD_TYPE=Release -DBERTH_TESTS=OFF -DBERTH_BENCH=OFF; }
	@$(PHASE)/program.log "Building the program" cmake --build $(BUILD) --target program

install: installable
	@$(PHASE)/install.log "Installing under $(PREFIX)" \
	  cmake --install $(BUILD) --prefix $(PREFIX)
	@test -e $(BUILD)/libberth_learn.so || \
	  echo "The learned methods are left out, because libtorch-dev was not installed. To include them, install it and build again."

deb:
	@$(PHASE)/packages-deb.log "Packages" scripts/setup.sh program learned package
	@$(MAKE) --no-print-directory installable
	@$(PHASE)/deb.log "Building the packages" cpack --config $(BUILD)/CPackConfig.cmake -B $(BUILD)
	@ls $(BUILD)/*.deb

# ROOT=folder keeps the scratch root for the next time, LEARNED=1 tries the learned methods too.
check-deb: deb
	@scripts/check_deb.sh $(BUILD) $(ROOT)

clean:
	rm -rf build build-asan build-fuzz build-lint build-odr build-plain build-asan-core
