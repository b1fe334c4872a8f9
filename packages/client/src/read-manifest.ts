/**
 * What is told of an operation.
 *
 * @param id as in `engine.api`.
 * @param method of HTTP, in capital letters.
 * @param path below `/api/v2`; a segment that begins with `:` stands for the path parameter of that name.
 * @param file `!` where the body or else the answer is a file, which is CSV, and '' where both are JSON.
 */
export type Found = (id: string, method: string, path: string, file: string) => void

/**
 * Reads a manifest: the paths of all operations as a tree, segment by segment.
 *
 * Before each segment stands `/` where it is below the one before, or else its depth. A `:` alone is the parameter that is
 * called as the segment above, in the singular and with `Key`. After a space stands the noun of what is done there, in
 * which `+` is the noun of the segment above and `*` the segment itself, in the singular; where none stands it is `*`, or
 * `+` for a parameter. What is done follows: a dot, the method, the verb where it is not called as the method is, `s` for
 * the plural, `!` for a file. `1teams.GETlists.POSTcreate/:.GET` lists teams, creates a team and gets one.
 */
export function readManifest(manifest: string, found: Found): void {
  const above: [path: string, noun: string][] = [['', '']]
  let path: string
  let noun: string
  // Replaces nothing: it hands on the groups one by one, which takes the fewest bytes.
  const part = /([/\d])([^ .\d/]+) ?([^.\d/]*)|\.([A-Z]+)([a-z]*?)(s?)(!?)(?![a-z])/g
  manifest.replace(part, (_, place, segment, form, method, verb, plural, file) => {
    if (place) {
      if (place > '/') above.length = +place
      ;[path, noun] = above.at(-1) as [string, string]
      noun = (form || (segment > ':z' ? '*' : '+')).replace('+', noun).replace('*', segment.replace(/s$/, ''))
      path += `/${segment.replace(/^:$/, () => `:${/(\w+)s$/.exec(path)![1]}Key`)}`
      above.push([path, noun])
    } else {
      const id: string = [verb || method.toLowerCase(), noun + plural].join('-')
      found(
        id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
        method,
        path,
        file,
      )
    }
    return ''
  })
}
