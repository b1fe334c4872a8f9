/** A text as a literal of TypeScript in single quotes, whatever it holds. */
export function quoted(text: string): string {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/\\.|['\u2028\u2029]/g, (found) => {
      if (found === '\\"') return '"'
      if (found === "'") return "\\'"
      return found.length > 1 ? found : `\\u${found.charCodeAt(0).toString(16)}`
    })
  return `'${escaped}'`
}

/** A text as the name of a member, in quotes where it needs them. */
export function memberName(text: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(text) ? text : quoted(text)
}
