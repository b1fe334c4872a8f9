import type { SendOutcome } from '@halyard/core/webhooks'

/** Each reason is a plain sentence that reveals nothing about addresses, URLs or the content of the message. */
export const reasons = {
  url: 'The URL is not an absolute http or https URL.',
  address: 'The URL leads to an address that is not allowed.',
  name: 'The name of the receiver could not be resolved.',
  connect: 'The receiver cannot be reached.',
  refused: 'The receiver refused the connection.',
  certificate: 'The certificate of the receiver cannot be trusted.',
  secure: 'The secure connection to the receiver could not be established.',
  cut: 'The receiver closed the connection before it responded.',
  headers: 'The headers of the response are larger than 16 KiB.',
  garbage: 'The response of the receiver is not valid HTTP.',
  message: 'The message cannot be sent over HTTP.',
  timeOut: 'The receiver did not respond in time.',
  calledOff: 'The delivery was canceled.',
  closed: 'The sender is closed.',
  unknown: 'The exchange with the receiver failed.',
} as const

export type Reason = (typeof reasons)[keyof typeof reasons]

/** Reasons by error code. The first match is used. */
const byCode: readonly (readonly [RegExp, Reason])[] = [
  [/^(ENOTFOUND|EAI_|ENODATA$|ESERVFAIL$)/, reasons.name],
  [/^ECONNREFUSED$/, reasons.refused],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM)$/, reasons.connect],
  [/^(ECONNRESET|EPIPE|ECONNABORTED|HPE_INVALID_EOF_STATE)$/, reasons.cut],
  [/^HPE_HEADER_OVERFLOW$/, reasons.headers],
  [/^HPE_/, reasons.garbage],
  [/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|^INVALID_(CA|PURPOSE)$|^HOSTNAME_MISMATCH$/, reasons.certificate],
  [/^(EPROTO|ERR_SSL_|ERR_TLS_)/, reasons.secure],
  [/^ERR_(INVALID_|HTTP_|UNESCAPED_)/, reasons.message],
]

/** Returns the reason for an exchange that ended with an error. */
export function reasonOf(error: unknown): Reason {
  const code = codeOf(error)
  return byCode.find(([pattern]) => pattern.test(code))?.[1] ?? reasons.unknown
}

export function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : ''
}

/** Returns the outcome of a message without a response. */
export function failureOf(reason: Reason): SendOutcome {
  return reason === reasons.address ? { outcome: 'failed', reason, refused: true } : { outcome: 'failed', reason }
}
