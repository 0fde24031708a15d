package validator

// Rules about declared losses.
const (
	ruleLossUndeclared = "loss-undeclared"
	ruleLossUnfounded  = "loss-unfounded"
	ruleLossUnknown    = "loss-unknown"
)

func lossRules() []Rule {
	return []Rule{
		{
			ID: ruleLossUndeclared, Alias: "ASR-157", Severities: isError(), Title: "a loss that a record implies is declared",
			Doc:    "A result whose model text was made at run time, an inference without usage beside a ledger, an unknown extent, a removed secret, an unreadable file and a naive clock without offset are losses, and stand in the losses of the record that has them.",
			Remedy: "Add the code to losses of the record that has it, and count it in the manifest.",
		},
		{
			ID: ruleLossUnfounded, Severities: isError(), Title: "a core loss stands only where something implies it",
			Doc:    "A loss that nothing implies, such as lineage where the native parent resolves, would make a reader distrust sound data.",
			Remedy: "Remove the code, or write what it stands for.",
		},
		{
			ID: ruleLossUnknown, Severities: isError(), Title: "a loss is a core code or belongs to the agent",
			Doc:    "Core codes are a closed list. Any other loss is written <agent name>/<code>.",
			Remedy: "Use a core code of the format, or a code of the agent: <agent name>/<code>.",
		},
	}
}
