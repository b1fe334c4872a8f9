/** Texts of the pages about insights and context kinds. */
export const insightTexts = {
  insights: {
    title: (environment: string) => `Insights of ${environment}`,
    charts: 'Charts',
    period: 'Period',
    periods: { '30': 'The last 30 days', '90': 'The last 90 days', '365': 'The last year' },
    leadTime: 'Lead time',
    frequency: 'Deployments',
    empty: 'Nothing was deployed in this period.',
    scores: 'Scores',
    noScores: 'There are no scores.',
    columns: ['Score', 'Value', 'Explanation'],
    value: (score: number, indicator: string) => `${score} (${indicator})`,
    more: 'All charts, filters and groups',
  },
  contextKinds: {
    title: 'Context kinds',
    empty: 'There are no context kinds in this project.',
    create: 'Create a context kind',
    columns: ['Name', 'Key', 'State', 'Actions'],
    archived: 'archived',
    hidden: 'hidden in targeting',
    archive: 'Archive',
    restore: 'Restore',
    question: (action: string, name: string) => `${action} the context kind ${name}?`,
  },
} as const
