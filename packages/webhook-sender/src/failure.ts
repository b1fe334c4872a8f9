import type { SendOutcome } from '@halyard/core/webhooks'

/** Each a plain sentence, which says nothing of where names lead, of URLs, or of what was sent. */
export const reasons = {
  url: 'The URL is not an absolute http or https URL.',
  address: 'The URL leads to an address that is not allowed.',
  name: 'The name of the receiver could not be resolved.',
  connect: 'The receiver cannot be reached.',
  refused: 'The receiver refused the connection.',
  certificate: 'The certificate of the receiver cannot be trusted.',
  secure: 'No secure connection to the receiver could be made.',
  cut: 'The receiver closed the connection before it answered.',
  headers: 'The headers of the answer are larger than 16 KiB.',
  garbage: 'The receiver did not answer with HTTP.',
  message: 'The message cannot be written as HTTP.',
  timeOut: 'The receiver did not answer in time.',
  calledOff: 'The delivery was called off.',
  closed: 'The sender is closed.',
  unknown: 'The exchange with the receiver failed.',
} as const

export type Reason = (typeof reasons)[keyof typeof reasons]

/** By the code of an error; the first that fits. */
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

/** What became of an exchange that ended with an error, in one sentence. */
export function reasonOf(error: unknown): Reason {
  const code = codeOf(error)
  return byCode.find(([pattern]) => pattern.test(code))?.[1] ?? reasons.unknown
}

export function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : ''
}

/** An outcome without an answer. */
export function failed(reason: Reason): SendOutcome {
  return reason === reasons.address ? { outcome: 'failed', reason, refused: true } : { outcome: 'failed', reason }
}
