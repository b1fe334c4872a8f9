/** A change that a writer has completed and reported as a line of JSON. */
export type AcknowledgedChange =
  | { readonly did: 'make' | 'turn on' | 'delete'; readonly key: string }
  | { readonly did: 'tag'; readonly key: string; readonly tag: string }

/** Prefix of the keys of flags that the writer deletes again. */
export const deletedPrefix = 'going'
