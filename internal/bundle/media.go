package bundle

// MediaType is the media type that the manifest states for a blob, "" for an unknown one.
func (b *Bundle) MediaType(sha string) string {
	if info := b.blobs[sha]; info != nil {
		return info.MediaType
	}
	return ""
}
