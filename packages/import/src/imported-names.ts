import type { Loss } from './imported-project.ts'

const keyPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,255}$/

export interface KeyList {
  /** Returns the key for a name of the export; the name itself when it is a valid key. */
  keyOf(name: string): string
}

/**
 * Assigns a different key to each name of an export.
 *
 * @param names all names. A name that is a valid key stays as it is; the key of any other name is made different from
 *   these.
 */
export function createKeyList(names: readonly string[]): KeyList {
  const usedKeys = new Set(names.filter((name) => keyPattern.test(name)))
  const keys = new Map<string, string>([...usedKeys].map((name) => [name, name]))
  return {
    keyOf(name) {
      const existing = keys.get(name)
      if (existing !== undefined) return existing
      const key = freeKey(toKey(name), usedKeys)
      usedKeys.add(key)
      keys.set(name, key)
      return key
    },
  }
}

function toKey(name: string): string {
  const candidate = name
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
  return candidate.replace(/-+$/, '').slice(0, 240) || 'unnamed'
}

function freeKey(preferred: string, usedKeys: ReadonlySet<string>): string {
  if (!usedKeys.has(preferred)) return preferred
  for (let number = 2; ; number++) if (!usedKeys.has(`${preferred}-${number}`)) return `${preferred}-${number}`
}

/** Reports a name that is not a valid key. */
export function renameLosses(owner: Pick<Loss, 'flag' | 'segment'>, from: string, key: string): Loss[] {
  if (from === key) return []
  const why = 'keys may contain only letters, digits, ".", "_" and "-"'
  return [{ ...owner, what: `the name "${from}"`, why, instead: `its key is ${key}`, affects: 'values' }]
}

/** Converts texts to valid tags, each once. */
export function tagsOf(texts: readonly string[]): string[] {
  const tags = texts.map((text) => text.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 64))
  return [...new Set(tags.filter((tag) => tag !== ''))].slice(0, 1000)
}

/** Truncates a text to the maximum length of a name. */
export function nameOf(text: string): string {
  return text.slice(0, 256) || 'unnamed'
}
