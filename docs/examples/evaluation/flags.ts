// Written by `halyard types` from the flags of the project shop. Do not edit; run the command again.

/** The flags of the project by key, each with the type of its values. */
export interface Flags {
  /** The new checkout */
  checkout: boolean
  'max-items': number
  retry: {
    readonly backoff?: string
    readonly times: number
  }
  /** @deprecated */
  theme: 'light' | 'dark'
}
