#!/usr/bin/env bats
# The cases, replayed through Kubewarden's own host. Run with `make e2e-tests`.
#
# Each folder of e2e-tests/sessions is one request of one case:
#   request.json   the AdmissionRequest
#   session.yml    the lookups in their order, with their answers
#   settings.yml   the settings, where the case has some
#   expected.json  {"allowed": bool, "code": number or null, "message": string or null}
#
# kwctl replays strictly: a lookup that is not the next one of the session fails, and so do all that follow. It only
# logs when lookups are left over, so the log is read as well. It exits 0 whether the request is allowed or not.

setup_file() {
	cd "$BATS_TEST_DIRNAME/.." || return 1
	local tool
	for tool in kwctl jq; do
		command -v "$tool" >/dev/null || {
			echo "$tool is not installed" >&2
			return 1
		}
	done
	[ -f annotated-policy.wasm ] || {
		echo 'annotated-policy.wasm is missing: make annotated-policy.wasm' >&2
		return 1
	}
}

setup() {
	cd "$BATS_TEST_DIRNAME/.." || return 1
}

# judge POLICY FOLDER: the response on stdout, the log in $BATS_TEST_TMPDIR/log
judge() {
	local policy=$1 folder=$2
	local arguments=(--request-path "$folder/request.json" --allow-context-aware
		--replay-host-capabilities-interactions "$folder/session.yml")
	if [ -f "$folder/settings.yml" ]; then
		arguments+=(--settings-path "$folder/settings.yml")
	fi
	kwctl run "${arguments[@]}" "$policy" 2>"$BATS_TEST_TMPDIR/log"
}

# The parts of a response that are compared. kwctl leaves out what is empty.
answer() {
	jq -cS '{allowed, code: (.status.code // null), message: (.status.message // null)}'
}

# differs POLICY FOLDER: says what is wrong; nothing if all is well
differs() {
	local policy=$1 folder=$2 expected found
	expected=$(jq -cS '{allowed, code, message}' "$folder/expected.json")
	if ! found=$(judge "$policy" "$folder" | answer); then
		echo "$folder: kwctl failed"
		sed 's/^/    /' "$BATS_TEST_TMPDIR/log"
		return
	fi
	if [ "$found" != "$expected" ]; then
		printf '%s:\n    expected %s\n    found    %s\n' "$folder" "$expected" "$found"
	fi
	if grep -q 'Some of the recorded exchanges have not been replayed' "$BATS_TEST_TMPDIR/log"; then
		echo "$folder: lookups of the session were not made"
	fi
}

@test "there are sessions" {
	local folders=(e2e-tests/sessions/*/)
	[ -d "${folders[0]}" ]
}

@test "every case is answered as expected, with exactly its lookups" {
	local folder problem problems=''
	for folder in e2e-tests/sessions/*/; do
		problem=$(differs annotated-policy.wasm "${folder%/}")
		problems+=${problem:+$problem$'\n'}
	done
	echo "$problems"
	[ -z "$problems" ]
}

# The manifest grants the lookups here, in place of the module's metadata.
@test "the manifest for protect mode refuses the sample" {
	local manifest="$BATS_TEST_TMPDIR/policy.yaml" problems
	sed "s|module: registry://.*|module: file://$PWD/annotated-policy.wasm|" deploy/protect/policy.yaml >"$manifest"
	problems=$(differs "$manifest" e2e-tests/sessions/01-cozystack-2908-vmdisk)
	echo "$problems"
	[ -z "$problems" ]
}

@test "the manifest for monitor mode allows the sample and still tells why not" {
	local manifest="$BATS_TEST_TMPDIR/policy.yaml" response
	sed "s|module: registry://.*|module: file://$PWD/annotated-policy.wasm|" deploy/monitor/policy.yaml >"$manifest"
	response=$(judge "$manifest" e2e-tests/sessions/01-cozystack-2908-vmdisk)
	echo "$response"
	[ "$(jq .allowed <<<"$response")" = true ]
	[ "$(jq -r '.auditAnnotations.reasons' <<<"$response")" = RemoteVolumeAccess ]
}

@test "settings that are wrong are told with their path" {
	run kwctl run --request-path e2e-tests/sessions/01-cozystack-2908-vmdisk/request.json \
		--allow-context-aware --settings-json '{"rules":{"shrnk":"warn"}}' annotated-policy.wasm
	echo "$output"
	[ "$status" -ne 0 ]
	[[ "$output" == *'rules.shrnk'* ]]
}
