package validator

// Rules about the files of a bundle and what its documents say about each other.
const (
	ruleManifest    = "manifest"
	ruleStray       = "stray-file"
	ruleRegistry    = "registry"
	ruleSelection   = "selection"
	ruleReport      = "report"
	ruleBlobMissing = "blob-missing"
	ruleBlobHash    = "blob-hash"
	ruleBlobUnused  = "blob-unreferenced"
)

func bundleRules() []Rule {
	return []Rule{
		{
			ID: ruleManifest, Severities: isError(), Title: "the manifest agrees with what is there",
			Doc:    "Format and version, ids of sources, file names, counts of records, items, types and losses, sizes and hashes of streams, and rootSha256 are worked out again and compared. A source has the files that its records came from, and the evidence of a stream is listed for its layout.",
			Remedy: "Work the manifest out from what was written, at the very end: count the lines, hash the uncompressed bytes, sort the lists. Do not edit a bundle by hand; convert again.",
		},
		{
			ID: ruleStray, Severities: isError(), Title: "a bundle holds only files that its manifest lists",
			Doc:    "A file beside them belongs to no hash and no count.",
			Remedy: "Remove the file, or list it. A converter writes into a folder of its own and puts nothing else there.",
		},
		{
			ID: ruleRegistry, Severities: isError(), Title: "the registry entries are in the bundle",
			Doc:    "The bytes of each entry that the manifest names are a blob of the bundle, and the entry has that name and version.",
			Remedy: "Write the bytes of each registry entry that was used as a blob and name its hash, name and version under registry in the manifest.",
		},
		{
			ID: ruleSelection, Severities: isError(), Title: "manifest and report state the same selection",
			Doc:    "What was left out on purpose stands in both documents, in the same words.",
			Remedy: "Write the selection once and copy its bytes into both documents.",
		},
		{
			ID: ruleReport, Severities: isError(), Title: "the export report is there and agrees with the bundle",
			Doc:    "report.json follows its schema, its counts are those that the bundle gives, and its findings are sorted, of the catalogue, and lie in the bundle.",
			Remedy: "Write report.json after the last stream, from the counts and notices of the run itself, and write it again when the bundle changes.",
		},
		{
			ID: ruleBlobMissing, Severities: isError(), Title: "a blob that something names is in the bundle",
			Doc:    "Every native.blob, every blob in _meta and every blob of the manifest is a file under blobs/, and the manifest lists it.",
			Remedy: "Write the blob before the line that names it, and list it under blobs in the manifest. If it was lost on the way, copy the bundle again.",
		},
		{
			ID: ruleBlobHash, Severities: isError(), Title: "a blob has the size and hash of its name",
			Doc:    "The bytes are hashed again; bytes and mediaType where a record names the blob are those of the manifest, and an attachment's mediaType is that of its bytes.",
			Remedy: "Take size and hash from the very bytes that are written. If the file was damaged afterwards, copy the bundle again or convert anew.",
		},
		{
			ID: ruleBlobUnused, Severities: isError(), Title: "a blob of the bundle is named by something",
			Doc:    "A blob that no record and no registry entry names says nothing about its origin.",
			Remedy: "Name the blob where it belongs (native.blob, rs.ctx/uncommitted, rs.ctx/unfinished, the registry), or do not write it.",
		},
	}
}
