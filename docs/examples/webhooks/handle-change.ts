/** The fields of a message that this receiver reads. */
export interface Change {
  readonly title: string
}

const handledIds = new Set<string>()

/** Handles a change once, although its message may arrive several times. */
export async function handleChange(id: string, change: Change): Promise<void> {
  if (handledIds.has(id)) return
  handledIds.add(id)
  console.log(change.title)
}
