package main

import "github.com/session-trace/ctx/internal/record"

const (
	agentModel     = "openai/bench-large"
	condenserModel = "openai/bench-small"
	llmSettings    = `,"api_key":"**********","auth_type":"api_key","base_url":"http://model.invalid/v1",` +
		`"num_retries":5,"retry_multiplier":8.0,"retry_min_wait":8,"retry_max_wait":64,"timeout":300,` +
		`"max_message_chars":30000,"max_input_tokens":128000,"max_output_tokens":4096,"api_mode":"auto",` +
		`"capability_overrides":{},"input_cost_per_token":1e-06,"output_cost_per_token":2e-06,"stream":false,` +
		`"drop_params":true,"modify_params":true,"disable_stop_word":false,"caching_prompt":true,` +
		`"log_completions":false,"native_tool_calling":true,"reasoning_effort":"high","litellm_extra_body":{},`
)

// appendState appends the conversation's base_state.json, whose ledger joins every response.
func (c *conversation) appendState(dst []byte) []byte {
	dst = record.AppendString(append(dst, `{"id":`...), c.id)
	dst = append(dst, `,"agent":{"llm":`...)
	dst = appendLLM(dst, agentModel, "agent")
	dst = append(dst, `,"tools":[{"name":"terminal","params":{}},{"name":"file_editor","params":{}}],"mcp_config":{},`...)
	dst = append(dst, `"include_default_tools":["FinishTool","ThinkTool"],"system_prompt_filename":"system_prompt.j2",`...)
	dst = append(dst, `"condenser":{"llm":`...)
	dst = appendLLM(dst, condenserModel, "condenser")
	dst = append(dst, `,"max_size":100,"keep_first":2,"minimum_progress":0.1,"kind":"LLMSummarizingCondenser"},`...)
	dst = append(dst, `"tool_concurrency_limit":1,"kind":"Agent"},"workspace":{"working_dir":`...)
	dst = append(record.AppendString(dst, workspace), `,"kind":"LocalWorkspace"},"persistence_dir":`...)
	dst = record.AppendString(dst, "/home/bench/conversations/"+hexID(c.id))
	dst = append(dst, `,"max_iterations":500,"stuck_detection":true,"execution_status":"finished",`...)
	dst = append(dst, `"confirmation_policy":{"kind":"NeverConfirm"},"activated_knowledge_skills":[],`...)
	dst = append(dst, `"activated_path_rules":[],"invoked_skills":[],"blocked_actions":{},"blocked_messages":{},`...)
	dst = record.AppendString(append(dst, `"last_user_message_id":`...), c.lastUser)
	dst = record.AppendString(record.AppendKey(dst, "leaf_event_id"), c.leaf)
	dst = append(dst, `,"head_is_empty":false,"stats":{"usage_to_metrics":{"agent":`...)
	dst = c.agent.appendMetrics(dst)
	if c.condenser.rows > 0 {
		dst = c.condenser.appendMetrics(append(dst, `,"condenser":`...))
	}
	return append(dst, `}},"secret_registry":{"secret_sources":{}},"tags":{},"agent_state":{}}`...)
}

func appendLLM(dst []byte, model, usage string) []byte {
	dst = append(record.AppendString(append(dst, `{"model":`...), model), llmSettings...)
	return append(record.AppendString(append(dst, `"usage_id":`...), usage), `,"is_subscription":false}`...)
}
