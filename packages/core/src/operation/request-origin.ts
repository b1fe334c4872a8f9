/**
 * The kind of credential with which a caller was authenticated: a session of the host or of the console, or an access
 * token or a signed token in a header.
 */
export type CredentialKind = 'session' | 'apiToken'

/** Where a request comes from. A call in process has no origin. */
export interface RequestOrigin {
  readonly credential: CredentialKind
  /** Returns the address of the client that the transport reports; undefined when the transport cannot determine it. */
  clientAddress(): string | undefined
}

/**
 * Refuses requests from addresses that the IP allowlist of the account does not contain. The pipeline does not depend
 * on resources, so the resource that stores the allowlist implements this interface
 * (docs/decisions/0143-limit-requests-by-the-address-that-the-transport-gives.md).
 */
export interface AddressGuard {
  /**
   * The cached allowlist, under the empty key, with the kinds of credentials that it applies to. Undefined before the
   * first read.
   */
  readonly known: { get(key: ''): { readonly isEnabled: Readonly<Record<CredentialKind, boolean>> } | undefined }
  /**
   * Admits a request, or refuses it. Returns a promise only where the allowlist must be read.
   *
   * @throws ApiError `forbidden`.
   */
  admit(origin: RequestOrigin): Promise<void> | void
}
