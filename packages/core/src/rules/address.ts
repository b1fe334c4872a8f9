/**
 * One level of a resource's address: a kind, the raw key, and the attributes that policies may test.
 *
 * The key `*` means every key of that kind. For example, a flag's name changes in all environments together, so a
 * change of the name concerns `proj/web:env/*:flag/checkout`. The key of a resource cannot be `*`
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d8-keys).
 */
export interface ResourceLevel {
  readonly kind: string
  /** Raw key, not escaped; `''` for `acct` and `ip-allowlist`, which have no key. */
  readonly key: string
  /** Tags of the resource. Default: no tags. */
  readonly tags?: readonly string[]
  /** Properties that policies may test. Default: no properties. */
  readonly properties?: Readonly<Record<string, string | number | boolean>>
  /** Keys of the views to which the resource is linked. */
  readonly views?: readonly string[]
}

/** The resource of a policy decision: the levels of its address, outermost first. */
export type Resource = readonly ResourceLevel[]

/** Parameter names of an address template: `'projectKey' | 'flagKey'` of `proj/{projectKey}:flag/{flagKey}`. */
export type AddressParams<Template extends string> = string extends Template
  ? string
  : Template extends `${string}{${infer Name}}${infer Rest}`
    ? Name | AddressParams<Rest>
    : never

/** A compiled address template; `params` contain the raw keys of its parameters. */
export interface AddressTemplate<Param extends string = string> {
  /** Kinds of the levels, e.g. `['proj', 'env', 'flag']`. */
  readonly kinds: readonly string[]
  /** Name of the parameter of each level; undefined if the key is literal. */
  readonly parameters: readonly (Param | undefined)[]
  /** Returns the address as text; reserved characters in keys are escaped. */
  address(params: Readonly<Record<Param, string>>): string
  /** Returns the address without its last level; `''` if there is only one level. */
  scope(params: Readonly<Record<Param, string>>): string
  /**
   * Returns an address without its last level, cut off at the first level whose key is not in `params`; `''` if
   * `params` contain no key.
   */
  scopeAbove(params: Readonly<Partial<Record<Param, string>>>): string
  /** Returns the raw key of the last level. */
  key(params: Readonly<Record<Param, string>>): string
  /** Returns the levels of the address, without tags, properties or views. */
  resource(params: Readonly<Record<Param, string>>): Resource
}

/** The kinds without a key: there is one account, and it has one IP allowlist. */
const KEYLESS_KINDS: readonly string[] = ['acct', 'ip-allowlist']

/** Returns true for a kind with a single resource in the account; its address is the kind without a key. */
export function isKeylessKind(kind: string): boolean {
  return KEYLESS_KINDS.includes(kind)
}

const KIND = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
const LITERAL_KEY = /^(\*|[A-Za-z0-9][A-Za-z0-9._-]*)$/
const RESERVED = /[%:/;*,${}]/g

/**
 * Reserved characters by character code. A lookup in this table takes a nanosecond per character; a regular expression
 * takes twenty nanoseconds per key.
 */
const IS_RESERVED = new Uint8Array(128)
for (const character of '%:/;*,$}{') IS_RESERVED[character.charCodeAt(0)] = 1

type TemplateLevel = { kind: string; literal: string } | { kind: string; param: string }

/**
 * Compiles an address template (docs/decisions/0002-decide-access-by-policy.md#d14-resource-specifiers).
 *
 * @param template levels `kind/{param}` or `kind/literal` joined by `:`; the literal may be `*` for all keys, and
 *   `acct` and `ip-allowlist` have no key. Example: `proj/{projectKey}:env/{environmentKey}:flag/{flagKey}`.
 * @throws TypeError when the template is invalid, which is a programming error.
 */
export function addressTemplate<const Template extends string>(
  template: Template,
): AddressTemplate<AddressParams<Template>> {
  const levels = template.split(':').map((level) => templateLevel(level, template))
  return {
    kinds: levels.map((level) => level.kind),
    parameters: levels.map((level) => ('param' in level ? (level.param as AddressParams<Template>) : undefined)),
    address: addressWriter(levels),
    scope: addressWriter(levels.slice(0, -1)),
    scopeAbove: (params) => addressWriter(namedLevels(levels.slice(0, -1), params))(params as Record<string, string>),
    key: keyReader(levels[levels.length - 1] as TemplateLevel),
    resource: (params) => levels.map((level) => ({ kind: level.kind, key: keyOf(level, params) })),
  }
}

/**
 * Values by the kinds of the levels of a resource. Looking up one kind after the other takes a fifth of the time of
 * joining the kinds into one text.
 */
export class ByKinds<V> {
  readonly #children = new Map<string, ByKinds<V>>()
  #value: V | undefined

  get(resource: Resource): V | undefined {
    let node: ByKinds<V> | undefined = this
    for (const { kind } of resource) {
      node = node.#children.get(kind)
      if (!node) return undefined
    }
    return node.#value
  }

  set(resource: Resource, value: V): void {
    let node: ByKinds<V> = this
    for (const { kind } of resource) {
      const child: ByKinds<V> = node.#children.get(kind) ?? new ByKinds()
      node.#children.set(kind, child)
      node = child
    }
    node.#value = value
  }
}

/** Formats the address of a resource as text; the inverse of {@link parseAddress}. */
export function addressOf(resource: Resource): string {
  return resource.map(({ kind, key }) => levelText(kind, key === '*' ? '*' : escapeKey(key))).join(':')
}

/**
 * Parses an address.
 *
 * It accepts only the canonical form, which templates create: two different texts never refer to one resource.
 *
 * @returns its levels with raw keys, or undefined if the text is not an address. Kinds are not checked against a list.
 */
export function parseAddress(text: string): Resource | undefined {
  const levels: ResourceLevel[] = []
  for (const part of text.split(':')) {
    const level = parseLevel(part)
    if (!level) return undefined
    levels.push(level)
  }
  return levels
}

function parseLevel(text: string): ResourceLevel | undefined {
  if (isKeylessKind(text)) return { kind: text, key: '' }
  const slash = text.indexOf('/')
  const kind = text.slice(0, slash)
  const escapedKey = text.slice(slash + 1)
  if (slash < 0 || isKeylessKind(kind) || !KIND.test(kind) || escapedKey === '') return undefined
  if (escapedKey === '*') return { kind, key: '*' }
  const key = unescapeKey(escapedKey)
  return escapeKey(key) === escapedKey ? { kind, key } : undefined
}

function templateLevel(level: string, template: string): TemplateLevel {
  const [kind = '', key, ...rest] = level.split('/')
  if (isKeylessKind(kind) && key === undefined) return { kind, literal: '' }
  const param = key?.startsWith('{') && key.endsWith('}') ? key.slice(1, -1) : undefined
  const hasValidName = param === undefined ? LITERAL_KEY.test(key ?? '') : /^[\w.]+$/.test(param)
  const hasValidKind = KIND.test(kind) && !isKeylessKind(kind)
  if (!hasValidName || !hasValidKind || rest.length > 0)
    throw new TypeError(`invalid level "${level}" in the address template "${template}"`)
  return param === undefined ? { kind, literal: key as string } : { kind, param }
}

/**
 * Creates a function that formats addresses. Constant parts are joined in advance, so that a call only joins a few
 * strings.
 */
function addressWriter(levels: readonly TemplateLevel[]): (params: Readonly<Record<string, string>>) => string {
  const names: string[] = []
  const texts = ['']
  levels.forEach((level, index) => {
    const separator = index === 0 ? '' : ':'
    if ('literal' in level) texts[texts.length - 1] += separator + levelText(level.kind, level.literal)
    else {
      texts[texts.length - 1] += `${separator}${level.kind}/`
      names.push(level.param)
      texts.push('')
    }
  })
  // The last address is cached, because the addresses of thousands of documents of one scope are often requested in a
  // row, and a text that they share is hashed only once.
  let last: { readonly keys: readonly string[]; readonly address: string } | undefined
  return (params) => {
    if (last && names.every((name, i) => params[name] === last?.keys[i])) return last.address
    let address = texts[0] as string
    for (let i = 0; i < names.length; i++) {
      address += escapeKey(params[names[i] as string] as string) + (texts[i + 1] as string)
    }
    last = { keys: names.map((name) => params[name] as string), address }
    return address
  }
}

/** Returns the levels before the first one without a parameter value. */
function namedLevels(levels: readonly TemplateLevel[], params: Readonly<Record<string, string | undefined>>) {
  const end = levels.findIndex((level) => 'param' in level && params[level.param] === undefined)
  return end < 0 ? levels : levels.slice(0, end)
}

function levelText(kind: string, escapedKey: string): string {
  return isKeylessKind(kind) ? kind : `${kind}/${escapedKey}`
}

function keyReader(level: TemplateLevel): (params: Readonly<Record<string, string>>) => string {
  return (params) => keyOf(level, params)
}

function keyOf(level: TemplateLevel, params: Readonly<Record<string, string>>): string {
  return 'literal' in level ? level.literal : (params[level.param] as string)
}

function escapeKey(key: string): string {
  for (let i = 0; i < key.length; i++) {
    const code = key.charCodeAt(i)
    if (code < 128 && IS_RESERVED[code] === 1) return key.replace(RESERVED, percentEncoded)
  }
  return key
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

function unescapeKey(escapedKey: string): string {
  return escapedKey.replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
