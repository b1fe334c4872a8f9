/** What a message says, as far as this receiver cares. */
export interface Change {
  readonly titleVerb: string
  readonly name: string
}

const seen = new Set<string>()

/** Does what is to be done about a change, once. */
export async function handleChange(id: string, change: Change): Promise<void> {
  if (seen.has(id)) return
  seen.add(id)
  console.log(change.titleVerb, change.name)
}
