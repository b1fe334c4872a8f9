import * as v from 'valibot'
import { listCard } from '../../operation/cards/list-card.ts'
import {
  allTexts,
  anyText,
  anyWord,
  sameText,
  type TermFields,
  termFilter,
  words,
} from '../../operation/filters/term-conditions.ts'
import { page, sort } from '../../operation/schema.ts'
import { projects } from '../projects/project.ts'
import { aiConfigModes, aiConfigs } from './ai-config.ts'
import { aiConfigWire, presentAIConfig } from './ai-config-wire.ts'

/** What a filter can ask of configs, by their narrow rows (D29). */
const fields: TermFields = {
  query: words('key', 'name'),
  key: anyText('key'),
  name: sameText('name'),
  tags: allTexts('tags'),
  mode: anyWord('mode', aiConfigModes),
  maintainerId: anyText('maintainerId'),
  maintainerTeamKey: anyText('maintainerTeamKey'),
}

export const listAIConfigs = listCard(aiConfigs, {
  id: 'listAIConfigs',
  summary: "List a project's AI configs with their variations",
  path: '/api/v2/projects/{projectKey}/ai-configs',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: projects,
  query: v.object({
    ...page(),
    sort: sort({ key: 'text', name: 'text', createdAt: 'number', updatedAt: 'number' }, 'name'),
    filter: termFilter(fields),
  }),
  select: ({ filter: where, sort }) => ({ where, order: [sort] }),
  answer: aiConfigWire,
  present: presentAIConfig,
})
