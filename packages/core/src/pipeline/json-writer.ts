/** Writes an answer's body as JSON text. */
export type JsonWriter = (body: unknown) => string

type Members = Readonly<Record<string, unknown>>

/**
 * Makes a writer that keeps the text of `_access`.
 *
 * What a caller may do to a thing is worked out once and shown in many answers as the same frozen object, and it is the
 * larger part of most of them. Its text is kept as long as the object lives; written out, it comes last. This holds for
 * an answer and for the items of a list; everything else is left to the platform.
 */
export function jsonWriter(): JsonWriter {
  const texts = new WeakMap<object, string>()

  function accessText(access: object): string {
    let text = texts.get(access)
    if (text === undefined) texts.set(access, (text = JSON.stringify(access)))
    return text
  }

  function resourceText(body: unknown): string {
    if (!isObject(body) || !isObject(body._access) || !Object.isFrozen(body._access)) return JSON.stringify(body)
    const { _access, ...rest } = body
    return joined(JSON.stringify(rest), '_access', accessText(_access as object))
  }

  return (body) => {
    if (!isObject(body) || !Array.isArray(body.items)) return resourceText(body)
    const { items, ...rest } = body
    // An item without JSON text would be null in an array, as the platform writes it.
    const texts = (items as readonly unknown[]).map((item) => resourceText(item) ?? 'null')
    return joined(JSON.stringify(rest), 'items', `[${texts.join(',')}]`)
  }
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null
}

/** An object's text with one more member at its end. */
function joined(object: string, name: string, value: string): string {
  return object === '{}' ? `{"${name}":${value}}` : `${object.slice(0, -1)},"${name}":${value}}`
}
