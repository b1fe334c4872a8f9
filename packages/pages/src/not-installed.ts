/** The error of a file whose content needs a package that is not installed. */
export interface NotInstalled extends Error {
  /** Always true. Distinguishes this error from all others. */
  readonly notInstalled: true
}

/**
 * Makes the error of a file whose content cannot be loaded. `servedPages` responds with 501 and the error's message as
 * plain text, because this installation does not have the page; any other error is rethrown.
 *
 * @param message names the package to install. Clients that request the file receive it, so it contains no paths and no
 *   secrets.
 * @param cause the underlying error; clients never receive it.
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
