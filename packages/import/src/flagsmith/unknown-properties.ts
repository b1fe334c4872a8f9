import type { Loss } from '../imported-project.ts'
import { pointer, unknownProperties } from '../read-shape.ts'
import type { LocatedDocument } from './documents.ts'

const names = ['id', 'uuid', 'name', 'api_key', 'created_date', 'updated_at', 'type', 'description']

/**
 * Properties that the import reads, and properties that are only names, configure the hash of an SDK, or repeat other
 * properties.
 */
const ofDocument = new Set([
  ...names,
  ...['project', 'feature_states', 'identity_overrides', 'segment_overrides', 'hide_sensitive_data'],
  ...['use_identity_composite_key_for_hashing', 'use_identity_overrides_in_local_eval', 'allow_client_traits'],
])

const ofProject = new Set([
  ...names,
  ...['segments', 'server_key_only_feature_ids', 'organisation', 'enable_realtime_updates', 'hide_disabled_flags'],
])

const ofState = new Set([
  ...names,
  ...[
    'feature',
    'enabled',
    'feature_state_value',
    'multivariate_feature_state_values',
    'feature_segment',
    'segment_id',
  ],
  ...['django_id', 'featurestate_uuid'],
])

const ofSegment = new Set([...names, 'rules', 'feature_states', 'feature'])

/** Reports everything in a document that the import does not read. */
export function unknownPropertiesIn({ document, at, environmentKey }: LocatedDocument): Loss[] {
  const position = { environment: environmentKey }
  const { project, feature_states, identity_overrides } = document
  return [
    ...unknownProperties(document, ofDocument, { at, owner: position }),
    ...unknownProperties(project, ofProject, { at: pointer(at, 'project'), owner: position }),
    ...feature_states.flatMap((item, index) =>
      unknownProperties(item, ofState, { at: pointer(at, 'feature_states', index), owner: position }),
    ),
    ...(project.segments ?? []).flatMap((item, index) =>
      unknownProperties(item, ofSegment, { at: pointer(at, 'project', 'segments', index), owner: position }),
    ),
    ...(identity_overrides ?? []).flatMap(({ identity_traits }, index): Loss[] =>
      identity_traits?.length ? [{ ...position, at: pointer(at, 'identity_overrides', index), ...storedTraits }] : [],
    ),
  ]
}

const storedTraits: Loss = {
  what: 'stored traits of an identity',
  why: 'Halyard evaluates contexts as requests send them, without stored attributes',
  instead: 'send them with each request',
  affects: 'values',
}
