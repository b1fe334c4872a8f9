function metaContent(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
}

/** Path under which the console is mounted, without a slash at its end; empty at the root. */
export const basePath = metaContent('halyard-base')

/** Name of the header that requests beta operations. */
export const versionHeader = metaContent('halyard-version-header') || 'SVC-API-Version'
