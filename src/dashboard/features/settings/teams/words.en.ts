export const teams = {
  teams: {
    title: 'Teams',
    lead: 'People who answer together. Limit a number to teams to hide its conversations from other agents.',
    emptyTitle: 'No teams yet',
    emptyLead: 'Put people in a team to share its conversations among them.',
    add: 'Add team',
    deleteLead: 'Its conversations will have no team. It cannot be deleted while a number is limited to it.',
    nameExample: 'Returns',
    noMembers: 'No members yet',
    autoAssign: 'Assign conversations in turn',
    autoAssignHint: 'To members who have the inbox open. If nobody does, conversations wait.',
    cap: 'Open conversations per person',
    capHint: 'Beyond this, no more are assigned. Leave empty for no limit.',
    numbers: 'Numbers for this team',
    numbersHint:
      'Conversations of a number with one team belong to that team. Leave empty to limit no number to it.',
    given: 'Assignment',
    inTurn: 'In turn',
    inTurnTo: 'In turn, up to {cap, number} each',
    byHand: 'Manual',
  },
  labels: {
    title: 'Labels',
    lead: 'Sort conversations with labels.',
    emptyTitle: 'No labels yet',
    emptyLead: 'Labels show on conversations in their own colour, and filter the inbox.',
    add: 'Add label',
    edit: 'Label',
    deleteLead: 'Conversations keep it as plain text.',
    nameExample: 'Complaint',
    nameStays: 'The name cannot be changed: conversations use it.',
    description: 'When to use it',
    color: 'Colour',
    colors: {
      blue: 'Blue',
      green: 'Green',
      amber: 'Amber',
      red: 'Red',
      violet: 'Violet',
      teal: 'Teal',
      pink: 'Pink',
      grey: 'Grey',
    },
  },
  replies: {
    title: 'Canned replies',
    lead: 'Answers you need often. In the inbox, type / and the shortcut.',
    emptyTitle: 'No canned replies yet',
    emptyLead: 'Write a reply once. The name of the recipient is filled in.',
    add: 'Add canned reply',
    edit: 'Canned reply',
    deleteLead: 'Messages already sent stay as they are.',
    shortcut: 'Shortcut',
    shortcutExample: 'hello',
    shortcutHint: 'Letters, digits, _ and -.',
    textExample: 'Hello, this is the front desk. How can I help?',
    variable: {
      contactName: 'Contact name',
      contactPhone: 'Contact phone number',
      agentName: 'Your name',
    },
    previewName: 'Siti Rahmawati',
    team: 'Available to',
    everybody: 'Everyone',
  },
} as const;

declare module '../../../words/texts.ts' {
  interface English {
    teams: typeof teams;
  }
}
