import * as v from 'valibot'
import { booleanParameter } from './schema.ts'

/**
 * The query parameter by which a deletion removes the references to the deleted document
 * (docs/decisions/0051-refuse-to-delete-what-is-referred-to.md).
 */
export const detachQuery = { detach: v.optional(booleanParameter(), false) }
