import { patchCard } from '../../operation/cards/patch-card.ts'
import { flagLinks } from './flag-link.ts'
import { flagLinkSettings, flagLinkWire, presentFlagLink } from './flag-link-wire.ts'
import { requireTogether } from './require-together.ts'

export const updateFlagLink = patchCard(flagLinks, {
  id: 'updateFlagLink',
  summary: 'Change a link of a flag',
  path: '/api/v2/flag-links/projects/{projectKey}/flags/{featureFlagKey}/{id}',
  beta: 'tagged',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  settings: flagLinkSettings,
  paths: ['/title', '/description', '/deepLink', '/timestamp', '/metadata/**'],
  change(_, patched) {
    requireTogether(patched)
    return patched
  },
  answer: flagLinkWire,
  present: presentFlagLink,
})
