/** What flags are evaluated for, as an SDK takes it: a context of one kind, of several, or a user of old. */
export interface EvaluationContext {
  /** Of a context of several kinds `multi`: then each other member is the context of that kind. `user` where left out. */
  readonly kind?: string | null
  readonly [attribute: string]: unknown
}

/** The attributes of a context of one kind. */
export interface Attributes {
  readonly key: string
  readonly [attribute: string]: unknown
}

/** A context that has been looked at: of one kind, or of several. */
export interface Subject {
  /** Undefined for several kinds. */
  readonly kind: string | undefined
  readonly attributes: Attributes | undefined
  readonly contexts: ReadonlyMap<string, Attributes> | undefined
}

/**
 * Looks at a context: single, multi-kind or an old user without kind, whose custom attributes lie under `custom`.
 *
 * Only what evaluation depends on is looked at, kinds and keys. Kinds have letters, digits, `.`, `_` and `-`; `kind` is
 * none. Keys are texts that are not empty; of a user of old also empty or a number.
 *
 * @returns a text that says what is wrong where it is no context.
 */
export function subjectOf(context: EvaluationContext | null | undefined): Subject | string {
  if (typeof context !== 'object' || context === null) return 'the context must be an object'
  const { kind } = context
  if (kind === undefined || kind === null) return legacyUser(context)
  if (typeof kind !== 'string') return 'the kind of a context must be text'
  if (kind === 'multi') return multiKind(context)
  const fault = contextFault(kind, context)
  return fault ?? single(kind, context as Attributes)
}

/** The attributes of the context of a kind; undefined where there is none. */
export function attributesOf(subject: Subject, kind: string): Attributes | undefined {
  if (subject.kind !== undefined) return subject.kind === kind ? subject.attributes : undefined
  return subject.contexts?.get(kind)
}

/** The kinds that a context has. */
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
    const one = context[kind]
    if (typeof one !== 'object' || one === null || Array.isArray(one))
      return `the context of kind ${kind} must be an object`
    const fault = kind === 'multi' ? 'a context of several kinds holds none' : contextFault(kind, one as Attributes)
    if (fault !== undefined) return fault
    contexts.set(kind, one as Attributes)
  }
  const [first] = contexts
  if (!first) return 'a context of several kinds must have one at least'
  return contexts.size === 1 ? single(...first) : { kind: undefined, attributes: undefined, contexts }
}

function contextFault(kind: string, { key }: Readonly<Record<string, unknown>>): string | undefined {
  if (kind !== 'user' && (kind === 'kind' || !/^[\w.-]+$/.test(kind))) return 'the kind of a context is none'
  if (typeof key !== 'string' || key === '') return `the key of the context of kind ${kind} must be a text`
  return undefined
}

const builtIn = ['name', 'ip', 'firstName', 'lastName', 'email', 'avatar', 'country'] as const

/** A user as contexts were before they had kinds: attributes of one's own lie under `custom`, the others beside the key. */
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
