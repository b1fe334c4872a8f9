/** The parts of an OAuth access token or authorization code. */
export interface TokenText {
  /** Id of the document that contains the hash of the token. */
  readonly id: string
  readonly secret: string
}

/** The parts of a refresh token. */
export interface RefreshText extends TokenText {
  readonly family: string
}

const id = '[\\w-]{1,64}'
const hex = '[0-9a-f]{64}'
const codePattern = new RegExp(`^oac-(${id})\\.(${hex})$`)
const accessPattern = new RegExp(`^oat-(${id})\\.(${hex})$`)
const refreshPattern = new RegExp(`^ort-(${id})\\.(${hex})\\.(${hex})$`)

export const codeText = ({ id, secret }: TokenText): string => `oac-${id}.${secret}`
export const accessText = ({ id, secret }: TokenText): string => `oat-${id}.${secret}`
export const refreshText = ({ id, family, secret }: RefreshText): string => `ort-${id}.${family}.${secret}`

/** Parses an authorization code; returns undefined for any other text. */
export const parseCode = (text: string): TokenText | undefined => parse(codePattern, text)

/** Parses an OAuth access token; returns undefined for any other text. */
export const parseAccessToken = (text: string): TokenText | undefined => parse(accessPattern, text)

/** Parses a refresh token; returns undefined for any other text. */
export function parseRefreshToken(text: string): RefreshText | undefined {
  const [, id, family, secret] = refreshPattern.exec(text) ?? []
  return id === undefined || family === undefined || secret === undefined ? undefined : { id, family, secret }
}

function parse(pattern: RegExp, text: string): TokenText | undefined {
  const [, id, secret] = pattern.exec(text) ?? []
  return id === undefined || secret === undefined ? undefined : { id, secret }
}
