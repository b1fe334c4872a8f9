/** Returns any text as a TypeScript literal in single quotes. */
export function quoted(text: string): string {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/\\.|['\u2028\u2029]/g, (match) => {
      if (match === '\\"') return '"'
      if (match === "'") return "\\'"
      return match.length > 1 ? match : `\\u${match.charCodeAt(0).toString(16)}`
    })
  return `'${escaped}'`
}

/** Returns a text as a property name, quoted when necessary. */
export function propertyName(text: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(text) ? text : quoted(text)
}
