/** A context for which flags are evaluated, as an SDK accepts it: of one kind, of several kinds, or a legacy user. */
export interface EvaluationContext {
  /** `multi` for a context of several kinds: then each other property is the context of that kind. Default `user`. */
  readonly kind?: string | null
  readonly [attribute: string]: unknown
}

/** The attributes of a context of one kind. */
export interface Attributes {
  readonly key: string
  readonly [attribute: string]: unknown
}

/** A validated context: of one kind, or of several. */
export interface Subject {
  /** Kind of the context; undefined when it has several kinds. */
  readonly kind: string | undefined
  readonly attributes: Attributes | undefined
  readonly contexts: ReadonlyMap<string, Attributes> | undefined
}

/**
 * Validates a context: single, multi-kind or a legacy user without kind, whose custom attributes are under `custom`.
 *
 * It validates only kinds and keys, on which evaluation depends. Kinds have letters, digits, `.`, `_` and `-`; `kind`
 * is not a valid kind. Keys are texts that are not empty; the key of a legacy user may also be empty or a number.
 *
 * @returns a text with the reason if the context is invalid.
 */
export function subjectOf(context: EvaluationContext | null | undefined): Subject | string {
  if (typeof context !== 'object' || context === null) return 'the context must be an object'
  const { kind } = context
  if (kind === undefined || kind === null) return legacyUser(context)
  if (typeof kind !== 'string') return 'the kind of a context must be a string'
  if (kind === 'multi') return multiKind(context)
  const error = contextError(kind, context)
  return error ?? single(kind, context as Attributes)
}

/** Returns the attributes of the context of a kind; undefined if there is no such context. */
export function attributesOf(subject: Subject, kind: string): Attributes | undefined {
  if (subject.kind !== undefined) return subject.kind === kind ? subject.attributes : undefined
  return subject.contexts?.get(kind)
}

/** Returns the kinds of a context. */
export function kindsOf({ kind, contexts }: Subject): readonly string[] {
  return kind === undefined ? [...(contexts as ReadonlyMap<string, Attributes>).keys()] : [kind]
}

function single(kind: string, attributes: Attributes): Subject {
  return { kind, attributes, contexts: undefined }
}

function multiKind(context: EvaluationContext): Subject | string {
  const contexts = new Map<string, Attributes>()
  for (const kind of Object.keys(context)) {
    if (kind === 'kind') continue
    const part = context[kind]
    if (typeof part !== 'object' || part === null || Array.isArray(part))
      return `the context of kind ${kind} must be an object`
    const error =
      kind === 'multi'
        ? 'a context of several kinds must not contain another one'
        : contextError(kind, part as Attributes)
    if (error !== undefined) return error
    contexts.set(kind, part as Attributes)
  }
  const [first] = contexts
  if (!first) return 'a context of several kinds must contain at least 1 context'
  return contexts.size === 1 ? single(...first) : { kind: undefined, attributes: undefined, contexts }
}

function contextError(kind: string, { key }: Readonly<Record<string, unknown>>): string | undefined {
  if (kind !== 'user' && (kind === 'kind' || !/^[\w.-]+$/.test(kind)))
    return 'the kind of a context must have only letters, digits, ".", "_" and "-", and must not be "kind"'
  if (typeof key !== 'string' || key === '')
    return `the key of the context of kind ${kind} must be a string that is not empty`
  return undefined
}

const builtIn = ['name', 'ip', 'firstName', 'lastName', 'email', 'avatar', 'country'] as const

/**
 * Converts a legacy user, from before contexts had kinds: custom attributes are under `custom`, built-in ones next to
 * the key.
 */
function legacyUser(user: EvaluationContext): Subject | string {
  const { key, custom, anonymous } = user
  if (key === undefined || key === null) return 'the key of a user must be present'
  const attributes: Record<string, unknown> & { key: string } = { ...(custom as object | undefined), key: String(key) }
  attributes.kind = 'user'
  if (anonymous !== undefined && anonymous !== null) attributes.anonymous = Boolean(anonymous)
  for (const name of builtIn) {
    const value = user[name]
    if (value !== undefined && value !== null) attributes[name] = value
  }
  return single('user', attributes)
}
