import type { Loss } from './moved-project.ts'

const keyPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,255}$/

export interface KeyList {
  /** The key that a name of the export gets; the name itself where it is one. */
  keyOf(name: string): string
}

/**
 * Gives each name of an export a key, no two of them the same one.
 *
 * @param names all of them: those that are keys stay, and the others go out of their way.
 */
export function createKeyList(names: readonly string[]): KeyList {
  const taken = new Set(names.filter((name) => keyPattern.test(name)))
  const keys = new Map<string, string>([...taken].map((name) => [name, name]))
  return {
    keyOf(name) {
      const known = keys.get(name)
      if (known !== undefined) return known
      const key = freeKey(keyLike(name), taken)
      taken.add(key)
      keys.set(name, key)
      return key
    },
  }
}

function keyLike(name: string): string {
  const like = name
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
  return like.replace(/-+$/, '').slice(0, 240) || 'unnamed'
}

function freeKey(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted
  for (let number = 2; ; number++) if (!taken.has(`${wanted}-${number}`)) return `${wanted}-${number}`
}

/** Tells of a name that is no key here. */
export function renamed(about: Pick<Loss, 'flag' | 'segment'>, from: string, key: string): Loss[] {
  if (from === key) return []
  const why = 'keys have letters, digits, ".", "_" and "-" alone'
  return [{ ...about, what: `the name "${from}"`, why, instead: `it is called ${key}`, affects: 'values' }]
}

/** Tags as they can be here, each once. */
export function tagsOf(texts: readonly string[]): string[] {
  const tags = texts.map((text) => text.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 64))
  return [...new Set(tags.filter((tag) => tag !== ''))].slice(0, 1000)
}

/** A name as long as it may be. */
export function nameOf(text: string): string {
  return text.slice(0, 256) || 'unnamed'
}
