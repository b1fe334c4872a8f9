/** What a client knows of an operation. */
export interface ManifestEntry {
  readonly id: string
  readonly method: string
  /** Below `/api/v2`; a segment that begins with `:` stands for the path parameter of that name. */
  readonly path: string
  /** What is no JSON: the body (`sent`), or the answer. Both are CSV. */
  readonly file: 'sent' | 'answered' | undefined
}

/** Letters of the manifest, each with the method and the verb that it stands for, and whether a file goes along. */
export const letters: Readonly<Record<string, string>> = {
  l: 'GET list',
  g: 'GET get',
  c: 'POST create',
  u: 'PUT put',
  p: 'PATCH patch',
  d: 'DELETE delete',
  s: 'POST create sent',
  f: 'GET get answered',
}

/**
 * Reads a manifest: the paths of all operations as a tree, segment by segment.
 *
 * Before each segment stands its depth, or `/` where it is below the one before. After it stands what can be done there:
 * nouns, each with the letters of what is done to it. `/:teamKey.gpd` gets, patches and deletes the noun of the segment
 * above. A noun after a space is a new one, `+Role` continues the one before, and an empty one is the segment's own in the
 * singular: `0teams .lc` lists teams and creates a team. A capital letter stands for its method alone, and the noun is
 * then the whole id.
 */
export function readManifest(manifest: string): ManifestEntry[] {
  const above: [path: string, noun: string][] = []
  const entries: ManifestEntry[] = []
  let depth = -1
  for (const [, place, segment, done] of manifest.matchAll(/([/\d])([^ .\d/]+)([^\d/]*)/g) as Matches) {
    depth = place === '/' ? depth + 1 : Number(place)
    let [path, noun] = above[depth - 1] ?? ['', '']
    path += `/${segment}`
    for (const [, word, what] of done.matchAll(/([^.]*)\.(\w+)/g) as Matches) {
      if (word) noun = (word[1] === '+' ? noun + word.slice(2) : word.slice(1)) || singular(segment)
      for (const letter of what) {
        const [method, verb, file] = letters[letter.toLowerCase()]!.split(' ') as [string, string, 'sent' | 'answered']
        const id = (letter < 'a' ? '' : verb) + noun + (letter === 'l' ? 's' : '')
        entries.push({ id, method, path, file })
      }
    }
    above[depth] = [path, noun]
  }
  return entries
}

type Matches = Iterable<[string, string, string, string]>

/** `release-policies` as `ReleasePolicie`: a list adds the `s` again. */
export function singular(segment: string): string {
  return segment.replace(/s$/, '').replace(/(^|-)./g, (start) => start.slice(-1).toUpperCase())
}
