import * as v from 'valibot'
import { jsonObject } from '../../operation/schema.ts'
import { type EvaluationContext, subjectOf } from '../../rules/evaluation/subject.ts'

/** Schema of a context in a request, as SDKs accept it: of one kind, of several kinds, or a legacy user. */
export const evaluatedContext = () =>
  v.pipe(
    jsonObject(),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      const subject = subjectOf(dataset.value as EvaluationContext)
      if (typeof subject === 'string') addIssue({ message: `must be a context: ${subject}` })
    }),
    v.transform((context) => context as EvaluationContext),
  )
