import type { ExampleMakers } from '../example.ts'
import { accessExamples } from './access.ts'
import { changeLogExamples } from './change-log.ts'
import { codeReferenceExamples } from './code-references.ts'
import { flagExamples } from './flags.ts'
import { insightExamples } from './insights.ts'
import { failingMemberExamples, memberExamples } from './members.ts'
import { projectExamples } from './projects.ts'
import { failingSegmentExamples, segmentExamples } from './segments.ts'
import { teamExamples } from './teams.ts'
import { viewExamples } from './views.ts'

/** An example of every operation, by its id. An operation without one fails the run. */
export const examples: ExampleMakers = {
  ...projectExamples,
  ...accessExamples,
  ...memberExamples,
  ...teamExamples,
  ...flagExamples,
  ...segmentExamples,
  ...codeReferenceExamples,
  ...insightExamples,
  ...changeLogExamples,
  ...viewExamples,
}

/** Inputs that end in an error which a card declares and which nothing else leads to. */
export const failingExamples: ExampleMakers = { ...failingMemberExamples, ...failingSegmentExamples }
