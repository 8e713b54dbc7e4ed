/** The primary key of a message. */
export type MessageKey = { project_id: string; id: string };
