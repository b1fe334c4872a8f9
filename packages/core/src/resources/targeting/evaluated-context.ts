import * as v from 'valibot'
import { jsonObject } from '../../operation/schema.ts'
import { type EvaluationContext, subjectOf } from '../../rules/evaluation/subject.ts'

/** Requires a context as SDKs accept it: of one kind, of several kinds, or a legacy user. */
export const validContext = <T>() =>
  v.rawCheck<T>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    // Cast: `subjectOf` accepts any value and checks it.
    const subject = subjectOf(dataset.value as EvaluationContext)
    if (typeof subject === 'string') addIssue({ message: `must be a context: ${subject}` })
  })

/** Schema of a context in a request. */
export const evaluatedContext = () =>
  v.pipe(
    jsonObject(),
    validContext(),
    v.transform((context) => context as EvaluationContext),
  )
