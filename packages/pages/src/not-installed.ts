/** The error of a file whose content needs a package that is not installed. */
export interface NotInstalled extends Error {
  /** Always true. Distinguishes this error from all others. */
  readonly notInstalled: true
}

/**
 * Makes the failure of a file whose content cannot be loaded. `servedPages` answers it with 501 and its message as plain
 * text, as the page is one that this installation does not have; any other failure is thrown on.
 *
 * @param message what to install. Whoever asks for the file reads it, so it has no paths and no secrets.
 * @param cause what went wrong underneath; it is shown to nobody.
 *
 * @example
 * ```ts
 * import { notInstalled, servedPages } from '@halyard/pages'
 *
 * const text = async () => {
 *   throw notInstalled('Install the charts to see this page.')
 * }
 * const files = { '/charts': { type: 'text/html; charset=utf-8', text } }
 * const pages = servedPages({ page: '/charts', images: "'self'", files })
 * console.log((await pages('GET', '/charts'))?.status) // 501
 * ```
 */
export function notInstalled(message: string, cause?: unknown): NotInstalled {
  return Object.assign(new Error(message, { cause }), { notInstalled: true as const })
}

export function isNotInstalled(error: unknown): error is NotInstalled {
  return error instanceof Error && (error as Partial<NotInstalled>).notInstalled === true
}
