const secrets = 'the change log contains no secrets'
const bigSegments = 'the change log does not contain the keys of a big segment'
const reports = 'it recorded what another system reported'
const contexts = 'the change log contains no attributes of contexts'
const experiments = 'an experiment has served variations, which cannot be undone; stop or archive it instead'
const decisions = 'a review is the decision of a person'

/** Operations whose entries cannot be reverted, with the reason as a clause. */
export const irreversibleOperations: Readonly<Record<string, string>> = {
  resetSdkKey: secrets,
  resetMobileKey: secrets,
  resetToken: secrets,
  resetRelayAutoConfig: secrets,
  inviteMember: secrets,
  acceptInvitation: secrets,
  deleteToken: secrets,
  deleteOAuthClient: secrets,
  deleteOAuthGrant: secrets,
  deleteDestination: secrets,
  updateBigSegmentTargets: bigSegments,
  updateBigSegmentContextTargets: bigSegments,
  createBigSegmentImport: bigSegments,
  reviewApprovalRequest: decisions,
  reviewApprovalRequestForFlag: decisions,
  createDeploymentEvent: reports,
  createDeploymentEvents: reports,
  createPullRequests: reports,
  createCommits: reports,
  createLeadTimeSamples: reports,
  createFlagEvents: reports,
  createContextInstances: reports,
  deleteContextInstances: contexts,
  deleteUser: contexts,
  createExperiment: experiments,
  createIteration: experiments,
  patchExperiment: experiments,
  createLayer: experiments,
  postHoldout: experiments,
  patchHoldout: experiments,
  createAgentOptimizationResult: reports,
  putBranch: reports,
  deleteBranches: reports,
  createExtinctions: reports,
  deleteRepository: 'the change log does not contain the branches that were deleted with it',
}
