# `make` lists what there is. Building and testing need rustup, a C compiler and make; nothing else.

SHELL := /usr/bin/env bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

CARGO ?= cargo
KWCTL ?= kwctl
BATS ?= bats
# The lock file is part of the source: nothing but `cargo update` changes it.
CARGO_FLAGS ?= --locked

TARGET := wasm32-wasip1
TARGET_DIR := $(if $(CARGO_TARGET_DIR),$(CARGO_TARGET_DIR),target)
MODULE := $(TARGET_DIR)/$(TARGET)/release/vmdisk_policy.wasm
# A first build takes minutes: show its progress to a person, and keep logs short.
QUIET := $(if $(MAKE_TERMERR),,--quiet)
# The name and version under which the policy is pushed; `make push` takes the registry.
POLICY := vmdisk-policy
VERSION := $(shell sed -n '/^\[workspace.package\]/,/^\[/ s/^version = "\(.*\)"$$/\1/p' Cargo.toml)

# What needs kwctl or bats says so, instead of "command not found".
define need
	@command -v $(1) >/dev/null || { \
		echo "make $@ needs $(1), which is not installed: $(2)" >&2; exit 1; }
endef
NEED_KWCTL = $(call need,$(KWCTL),see https://docs.kubewarden.io/howtos/install-kwctl)
NEED_BATS = $(call need,$(BATS),see https://bats-core.readthedocs.io/en/stable/installation.html)
NEED_JQ = $(call need,jq,see https://jqlang.org/download)

.PHONY: help
help:
	@echo 'make run                      judge a sample disk and show the refusal'
	@echo 'make test                     format, lints, module, unit and end-to-end tests'
	@echo 'make policy.wasm              build the module'
	@echo 'make annotated-policy.wasm    build the module with metadata      (kwctl)'
	@echo 'make e2e-tests                replay the cases through kwctl      (kwctl, bats, jq)'
	@echo 'make artifacthub              check artifacthub-pkg.yml           (kwctl)'
	@echo 'make push REGISTRY=host/path  push the annotated module           (kwctl)'
	@echo 'make fuzz FUZZ_SECONDS=30      run each fuzz target for a while   (nightly, cargo-fuzz)'
	@echo 'make deny                     licences, sources and advisories    (cargo-deny)'
	@echo 'make sbom                     the crates in the module            (cargo-cyclonedx)'
	@echo 'make bench                    time the decision and the clone matrix, natively'
	@echo 'make fmt | lint | clean'

# Judges the disk of cozystack#2908. It has to be refused: exit status 1 of vmdisk-check is the right answer here.
.PHONY: run
run: policy.wasm
	@$(CARGO) build $(CARGO_FLAGS) $(QUIET) -p vmdisk-host --bin vmdisk-check
	@echo 'Judging examples/vmdisk.yaml in the cluster of examples/cluster.yaml'
	@status=0; \
	$(CARGO) run $(CARGO_FLAGS) --quiet -p vmdisk-host --bin vmdisk-check -- run --policy policy.wasm \
		--request examples/vmdisk.yaml --cluster examples/cluster.yaml --trace || status=$$?; \
	case $$status in \
		1) echo 'The disk was refused, as it should be.';; \
		0) echo 'The disk was accepted, but it should be refused.' >&2; exit 1;; \
		*) echo 'The disk could not be judged.' >&2; exit $$status;; \
	esac

# The end-to-end tests load the module, so it is built first; `cargo test` comes last, and its summary ends the output.
.PHONY: test
test: lint policy.wasm
	@$(CARGO) test $(CARGO_FLAGS) --quiet --workspace

.PHONY: lint
lint:
	@$(CARGO) fmt --all --check
	@$(CARGO) clippy $(CARGO_FLAGS) --quiet --workspace --all-targets -- -D warnings

.PHONY: bench
bench:
	@$(CARGO) bench $(CARGO_FLAGS) -p vmdisk-e2e --bench decision --bench matrix

.PHONY: fmt
fmt:
	@$(CARGO) fmt --all

# rust-toolchain.toml names the target, but a toolchain that was installed before may lack it.
.PHONY: toolchain
toolchain:
	@rustup target list --installed 2>/dev/null | grep -qx $(TARGET) || rustup target add $(TARGET)

# Panic messages name the source files of the crates. Without the path to cargo's registry in them, the same sources
# give the same bytes wherever they are built.
CARGO_HOME_DIR := $(if $(CARGO_HOME),$(CARGO_HOME),$(HOME)/.cargo)
MODULE_RUSTFLAGS := --remap-path-prefix=$(CARGO_HOME_DIR)=/cargo

# Binaryen's wasm-opt makes the module a seventh smaller; it is no crate, so it is used only where it is named (see
# docs/size.md). What is measured in e2e-tests/costs.json is the module without it.
WASM_OPT ?=
WASM_OPT_FLAGS := -Oz --enable-bulk-memory --enable-extended-const --enable-multivalue --enable-mutable-globals \
	--enable-nontrapping-float-to-int --enable-reference-types --enable-sign-ext --enable-simd

# The most that it may weigh: a test refuses more.
BUDGET := $(shell sed -n 's/^const BUDGET: u64 = \([0-9_]*\);$$/\1/p' e2e-tests/tests/costs/bounds.rs | tr -d _)

# cargo knows what is out of date, so it is always asked.
policy.wasm: toolchain
	@CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS="$(MODULE_RUSTFLAGS)" $(CARGO) build $(CARGO_FLAGS) $(QUIET) -p $(POLICY) --target $(TARGET) --release
	@$(if $(WASM_OPT),$(WASM_OPT) $(WASM_OPT_FLAGS) $(MODULE) -o $@,cmp -s $(MODULE) $@ || cp $(MODULE) $@)
	@echo "policy.wasm: $$(wc -c < $@ | tr -d ' ') bytes of $(BUDGET)"

# -u: kwctl shows the README with the policy, so it is embedded as well.
annotated-policy.wasm: policy.wasm metadata.yml README.md
	$(NEED_KWCTL)
	@$(KWCTL) annotate -m metadata.yml -u README.md -o $@ policy.wasm
	@echo "annotated-policy.wasm: $$(wc -c < $@ | tr -d ' ') bytes"

.PHONY: e2e-tests
e2e-tests:
	$(NEED_KWCTL)
	$(NEED_BATS)
	$(NEED_JQ)
	@$(MAKE) --no-print-directory annotated-policy.wasm
	@$(BATS) e2e-tests/e2e.bats

# createdAt is the time of the call, and what stands below the marker is ours.
.PHONY: artifacthub
artifacthub:
	$(NEED_KWCTL)
	@diff <(sed '/^# kwctl does not make what follows/,$$d; /^createdAt:/d' artifacthub-pkg.yml) \
		<($(KWCTL) scaffold artifacthub -m metadata.yml -q questions-ui.yml | sed '/^createdAt:/d') \
		&& echo 'artifacthub-pkg.yml is what kwctl makes of metadata.yml and questions-ui.yml.'

# A pushed tag is never overwritten: a version means the same bytes for ever.
.PHONY: push
push:
	$(NEED_KWCTL)
	@[[ -n "$(REGISTRY)" ]] || { echo 'Name the registry: make push REGISTRY=registry.example.org/policies' >&2; exit 1; }
	@[[ "$(VERSION)" =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$$ ]] || { \
		echo 'Cargo.toml gives no version that can be a tag: "$(VERSION)"' >&2; exit 1; }
	@there=$$(mktemp -d); trap 'rm -r "$$there"' EXIT; \
	! $(KWCTL) pull -o "$$there/policy.wasm" registry://$(REGISTRY)/$(POLICY):v$(VERSION) >/dev/null 2>&1 || { \
		echo '$(REGISTRY)/$(POLICY):v$(VERSION) is there already: raise the version first' >&2; exit 1; }
	@$(MAKE) --no-print-directory annotated-policy.wasm
	@$(KWCTL) push annotated-policy.wasm registry://$(REGISTRY)/$(POLICY):v$(VERSION)

# Not in CI: what it finds depends on how long it runs. Seeds come from the cases and the vectors.
FUZZ_SECONDS ?= 30
FUZZ_TARGETS := access_policy host_answer host_error quantity settings spec_equality validate world
.PHONY: fuzz
fuzz: policy.wasm
	$(call need,cargo-fuzz,cargo install cargo-fuzz)
	@$(CARGO) test $(CARGO_FLAGS) --quiet -p vmdisk-e2e --test unbreakable -- --ignored seeds::
	@echo '== the module and the native decision, in clusters out of bytes'
	@WORLDS=$$(($(FUZZ_SECONDS) * 300)) $(CARGO) test $(CARGO_FLAGS) --quiet -p vmdisk-e2e --test unbreakable -- agreement::
	@for target in $(FUZZ_TARGETS); do \
		echo "== $$target"; \
		$(CARGO) +nightly fuzz run --fuzz-dir fuzz "$$target" -- \
			-max_total_time=$(FUZZ_SECONDS) -timeout=5 -rss_limit_mb=1024 -verbosity=0 -print_final_stats=1; \
	done

# Without fuzzing and without nightly: that they still compile.
.PHONY: fuzz-check
fuzz-check:
	@$(CARGO) check $(CARGO_FLAGS) --quiet --manifest-path fuzz/Cargo.toml

# The database of advisories is fetched: DENY_CHECKS='bans licenses sources' does without a network.
DENY_CHECKS ?= bans licenses sources advisories
.PHONY: deny
deny:
	$(call need,cargo-deny,cargo install --locked cargo-deny)
	@for package in '--workspace' '--manifest-path fuzz/Cargo.toml'; do \
		echo "== cargo deny $$package"; \
		$(CARGO) deny --locked $$package check --hide-inclusion-graph $(DENY_CHECKS); \
	done

# CycloneDX, of what the module is made of and nothing else. The tool writes one for every package of the workspace.
SBOM := policy-sbom.cdx
.PHONY: sbom
sbom:
	$(call need,cargo-cyclonedx,cargo install --locked cargo-cyclonedx)
	@$(CARGO) cyclonedx --quiet --format json --spec-version 1.5 --target $(TARGET) --no-build-deps \
		--override-filename $(SBOM)
	@rm -f {json,host,e2e-tests}/$(SBOM).json
	@echo "$(SBOM).json: $$(grep -c '"purl": "pkg:cargo/[^#]*"' $(SBOM).json) crates"

.PHONY: clean
clean:
	@$(CARGO) clean
	@rm -f policy.wasm annotated-policy.wasm $(SBOM).json
