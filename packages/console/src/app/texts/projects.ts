/** Texts of the page about projects and their environments. */
export const projectTexts = {
  projects: {
    title: 'Projects and environments',
    createProject: 'Create a project',
    createEnvironment: 'Create an environment',
    environments: (project: string) => `Environments of ${project}`,
    approvals: 'Changes need approval',
    color: 'Color',
    critical: 'Critical',
    empty: 'There are no projects, or you may not view any.',
  },
} as const
