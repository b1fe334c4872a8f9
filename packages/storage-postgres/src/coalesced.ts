/** Resolves with one result for each input, in their order. */
type AskMany<Question, Answer> = (questions: readonly Question[]) => Promise<Answer[]>

/**
 * Combines the queries that are made in the same turn of the event loop into one. A caller that looks something up for
 * each item of a page pays one round trip.
 */
export function coalesced<Question, Answer>(ask: AskMany<Question, Answer>): AskMany<Question, Answer> {
  let waiting: { readonly questions: Question[]; readonly answers: Promise<Answer[]> } | undefined

  async function askAll(questions: Question[]): Promise<Answer[]> {
    // Continues only after the current turn has ended.
    await undefined
    waiting = undefined
    return ask(questions)
  }

  return async (questions) => {
    if (questions.length === 0) return []
    if (!waiting) {
      const all: Question[] = []
      waiting = { questions: all, answers: askAll(all) }
    }
    const { questions: all, answers } = waiting
    const start = all.length
    for (const question of questions) all.push(question)
    return (await answers).slice(start, start + questions.length)
  }
}
