/** The tabs of an assistant's page, in their order. */
export const assistantTabs = ['instructions', 'knowledge', 'settings', 'runs'] as const;
