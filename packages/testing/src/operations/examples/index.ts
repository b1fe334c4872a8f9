import type { ExampleMakers } from '../example.ts'
import { accessExamples } from './access.ts'
import { codeReferenceExamples } from './code-references.ts'
import { insightExamples } from './insights.ts'
import { projectExamples } from './projects.ts'
import { segmentExamples } from './segments.ts'

/** An example of every operation, by its id. An operation without one fails the run. */
export const examples: ExampleMakers = {
  ...projectExamples,
  ...accessExamples,
  ...segmentExamples,
  ...codeReferenceExamples,
  ...insightExamples,
}
