//! The wrong roles that the model takes.

/// Each with a case of the corpus that fails by it in Rust, Python, TypeScript and .NET: each was planted, generated
/// and run when it came to this list. Where a word of `owners` is gone, Rust or TypeScript does not compile instead.
/// They say what follows from nothing else, as which chunks an event closes and whose a subagent is.
pub(super) const FOUND_BY_CASES: [(&str, &str, &str); 73] = [
    (
        "RUN_STARTED",
        "`parent` is `protocolVersion`",
        "attach/branch",
    ),
    (
        "STEP_STARTED",
        "no `closes`",
        "verify/chunk-closed-by-step-start",
    ),
    (
        "STEP_FINISHED",
        "no `closes`",
        "verify/chunk-closed-by-step-end",
    ),
    (
        "TEXT_MESSAGE_START",
        "no `closes`",
        "verify/chunk-closed-by-text-start",
    ),
    (
        "TEXT_MESSAGE_CONTENT",
        "no `closes`",
        "verify/chunk-closed-by-text-content",
    ),
    (
        "TEXT_MESSAGE_END",
        "no `closes`",
        "verify/chunk-closed-by-text-end",
    ),
    (
        "TOOL_CALL_START",
        "no `closes`",
        "verify/chunk-closed-by-call-start",
    ),
    (
        "TOOL_CALL_ARGS",
        "no `closes`",
        "verify/chunk-closed-by-call-args",
    ),
    (
        "TOOL_CALL_END",
        "no `closes`",
        "verify/chunk-closed-by-call-end",
    ),
    (
        "TOOL_CALL_RESULT",
        "`id` is `toolCallId`",
        "compact/call-around-its-result",
    ),
    (
        "TOOL_CALL_RESULT",
        "no `closes`",
        "verify/chunk-closed-by-call-result",
    ),
    (
        "STATE_SNAPSHOT",
        "no `closes`",
        "replay/chunks-closed-by-state",
    ),
    (
        "STATE_DELTA",
        "no `closes`",
        "verify/chunk-closed-by-state-delta",
    ),
    (
        "MESSAGES_SNAPSHOT",
        "no `closes`",
        "verify/chunk-closed-by-messages-snapshot",
    ),
    (
        "ACTIVITY_SNAPSHOT",
        "`closes` is `lane`",
        "compact/chunks-not-closed",
    ),
    (
        "ACTIVITY_DELTA",
        "`closes` is `lane`",
        "compact/chunk-beside-delta-of-parent",
    ),
    (
        "REASONING_START",
        "no `closes`",
        "verify/chunk-closed-by-reasoning-start",
    ),
    (
        "REASONING_MESSAGE_START",
        "no `closes`",
        "verify/chunk-closed-by-reasoning-message-start",
    ),
    (
        "REASONING_MESSAGE_CONTENT",
        "no `closes`",
        "verify/chunk-closed-by-reasoning-message-content",
    ),
    (
        "REASONING_MESSAGE_END",
        "no `closes`",
        "verify/chunk-closed-by-reasoning-message-end",
    ),
    (
        "REASONING_END",
        "no `closes`",
        "verify/chunk-closed-by-reasoning-end",
    ),
    (
        "REASONING_ENCRYPTED_VALUE",
        "`id` is `encryptedValue`",
        "compact/encrypted-value-between",
    ),
    (
        "REASONING_ENCRYPTED_VALUE",
        "`id` is `subtype`",
        "compact/encrypted-value-between",
    ),
    (
        "REASONING_ENCRYPTED_VALUE",
        "`closes` is `lane`",
        "compact/chunks-not-closed",
    ),
    (
        "SUBAGENT_STARTED",
        "no `owner`",
        "verify/subagent-unknown-parent",
    ),
    ("SUBAGENT_STARTED", "`owner` is `name`", "attach/owners"),
    (
        "SUBAGENT_STARTED",
        "`owner` is `description`",
        "compact/steps-and-subagents",
    ),
    (
        "SUBAGENT_STARTED",
        "`owner` is `parentToolCallId`",
        "compact/steps-and-subagents",
    ),
    (
        "SUBAGENT_STARTED",
        "`owner` is `parentMessageId`",
        "compact/text-around-its-subagent",
    ),
    (
        "SUBAGENT_FINISHED",
        "no `closes`",
        "replay/chunks-closed-by-subagent-end",
    ),
    (
        "SUBAGENT_ERROR",
        "no `closes`",
        "replay/chunks-closed-by-subagent-error",
    ),
    ("RAW", "`closes` is `lane`", "attach/chunks"),
    ("CUSTOM", "no `closes`", "replay/chunks-closed-by-custom"),
    ("text", "no `owners`", "replay/text-of-other-subagent"),
    (
        "text",
        "`owners` is `another`",
        "verify/call-again-in-message-of-other",
    ),
    (
        "text",
        "`owners` is `reasoning`",
        "verify/call-again-in-message-of-other",
    ),
    (
        "text",
        "`owners` is `subagent`",
        "verify/call-again-in-message-of-other",
    ),
    (
        "text",
        "`owners` is `tool-call`",
        "verify/call-again-in-message-of-other",
    ),
    ("tool-call", "no `owners`", "attach/activity"),
    ("tool-call", "`owners` is `message`", "attach/activity"),
    ("tool-call", "`owners` is `reasoning`", "attach/activity"),
    ("tool-call", "`owners` is `subagent`", "attach/activity"),
    (
        "reasoning",
        "no `owners`",
        "verify/encrypted-of-other-reasoning",
    ),
    (
        "reasoning",
        "`owners` is `another`",
        "verify/encrypted-of-other-reasoning",
    ),
    (
        "reasoning",
        "`owners` is `message`",
        "verify/reasoning-of-other",
    ),
    (
        "reasoning",
        "`owners` is `subagent`",
        "verify/encrypted-of-other-reasoning",
    ),
    (
        "reasoning",
        "`owners` is `tool-call`",
        "verify/encrypted-of-other-reasoning",
    ),
    ("reasoning-span", "no `owners`", "verify/reasoning-of-other"),
    (
        "reasoning-span",
        "`changes` is `messages`",
        "compact/runs-other-events",
    ),
    (
        "reasoning-span",
        "`owners` is `another`",
        "verify/reasoning-of-other",
    ),
    (
        "reasoning-span",
        "`owners` is `message`",
        "verify/reasoning-of-other",
    ),
    (
        "reasoning-span",
        "`owners` is `subagent`",
        "verify/one-id-for-all-kinds",
    ),
    (
        "reasoning-span",
        "`owners` is `tool-call`",
        "verify/reasoning-of-other",
    ),
    (
        "reasoning-span",
        "`changes` is `state`",
        "compact/runs-other-events",
    ),
    ("step", "`key` is `id`", "attach/steps-and-subagents"),
    (
        "step",
        "`changes` is `messages`",
        "compact/runs-other-events",
    ),
    ("step", "`changes` is `state`", "compact/runs-other-events"),
    ("subagent", "no `owners`", "verify/subagent-reused"),
    (
        "subagent",
        "`changes` is `messages`",
        "compact/runs-other-events",
    ),
    (
        "subagent",
        "`owners` is `message`",
        "verify/one-id-for-all-kinds",
    ),
    (
        "subagent",
        "`owners` is `reasoning`",
        "verify/one-id-for-all-kinds",
    ),
    (
        "subagent",
        "`owners` is `tool-call`",
        "verify/one-id-for-all-kinds",
    ),
    (
        "subagent",
        "`changes` is `state`",
        "compact/runs-other-events",
    ),
    ("message", "no `owners`", "verify/owner-from-result"),
    (
        "message",
        "`owners` is `another`",
        "verify/owner-from-result",
    ),
    (
        "message",
        "`owners` is `reasoning`",
        "verify/owner-from-result",
    ),
    (
        "message",
        "`owners` is `subagent`",
        "verify/owner-from-result",
    ),
    (
        "message",
        "`owners` is `tool-call`",
        "verify/owner-from-result",
    ),
    (
        "message",
        "`changes` is `state`",
        "compact/runs-late-result",
    ),
    (
        "messages",
        "`changes` is `state`",
        "compact/runs-activities",
    ),
    ("activity", "no `owners`", "attach/activity"),
    (
        "activity",
        "`changes` is `state`",
        "compact/runs-unknown-operation-of-activity",
    ),
    ("state", "`changes` is `messages`", "compact/runs-state"),
];

/// Found by no case. Rust does not compile with them. In the other languages nothing reads what describes a subagent, since
/// compaction writes only items with text anew.
pub(super) const FOUND_BY_NONE: [(&str, &str); 4] = [
    ("SUBAGENT_STARTED", "`opens` with `name`"),
    ("SUBAGENT_STARTED", "`opens` with `description`"),
    ("SUBAGENT_STARTED", "`opens` with `parentToolCallId`"),
    ("SUBAGENT_STARTED", "`opens` with `parentMessageId`"),
];
