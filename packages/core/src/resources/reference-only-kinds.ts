import type { PolicyKind } from '../rules/policy/policy-kind.ts'

/**
 * Kinds of resources and actions of the reference API that no operation of this engine uses. Policies that name them
 * are valid, because policies can be imported from the reference API. When a resource declares the same shape, the
 * actions of both are merged.
 */
export const referenceOnlyKinds = [
  { shape: 'acct', actions: ['viewAccount', 'viewUsage', 'updateAccount'] },
  {
    shape: 'announcement',
    actions: ['viewAnnouncement', 'createAnnouncement', 'updateAnnouncement', 'deleteAnnouncement'],
  },
  { shape: 'application', actions: ['viewApplication', 'createApplication', 'updateApplication', 'deleteApplication'] },
  { shape: 'code-reference-repository', actions: ['updateCodeReferenceRepositoryName'] },
  {
    shape: 'integration',
    actions: [
      'viewIntegration',
      'createIntegration',
      'updateName',
      'updateConfiguration',
      'updateOn',
      'deleteIntegration',
    ],
  },
  { shape: 'member', actions: ['sendMfaRequest', 'sendMfaRecoveryCode'] },
  { shape: 'role', actions: ['updateBasePermissions', 'updateMembers'] },
  { shape: 'proj', actions: ['updateLifecycleSettings'] },
  { shape: 'proj:context-kind', actions: ['updateAvailabilityForExperiments'] },
  { shape: 'proj:layer', actions: ['deleteLayer'] },
  { shape: 'proj:env:application', actions: ['viewApplication', 'createApplication'] },
  {
    shape: 'proj:env:flag',
    actions: [
      'updateFlagSalt',
      'updateExpiringRules',
      'updateMeasuredRolloutConfiguration',
      'updateFallthroughWithMeasuredRollout',
      'updateRulesWithMeasuredRollout',
      'stopMeasuredRolloutOnFlagFallthrough',
      'stopMeasuredRolloutOnFlagRule',
    ],
  },
  { shape: 'proj:env:holdout', actions: ['deleteHoldout'] },
  {
    shape: 'proj:env:product-analytics-dashboard',
    actions: ['createProductAnalyticsDashboard', 'updateProductAnalyticsDashboard', 'deleteProductAnalyticsDashboard'],
  },
  { shape: 'proj:env:segment', actions: ['updateExpiringRules'] },
] as const satisfies readonly PolicyKind[]
