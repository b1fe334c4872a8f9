/** Answers many questions at once, in the order in which they were asked. */
type AskMany<Question, Answer> = (questions: readonly Question[]) => Promise<Answer[]>

/**
 * Puts questions that are asked in the same turn into one: whoever shows a page of things and looks something up for
 * each of them pays one round trip.
 */
export function coalesced<Question, Answer>(ask: AskMany<Question, Answer>): AskMany<Question, Answer> {
  let waiting: { readonly questions: Question[]; readonly answers: Promise<Answer[]> } | undefined

  async function askAll(questions: Question[]): Promise<Answer[]> {
    // The turn ends before this goes on.
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
