/**
 * The refusals of actions, in the words of the API. The domain throws one of these. Only
 * `src/platform/http/errors.ts` knows the status of each. Source: docs/contract.md, section 1.
 */
export type FieldMessages = { [field: string]: string[] | FieldMessages };

export class Invalid extends Error {
  readonly fields: FieldMessages;
  constructor(fields: FieldMessages) {
    super('invalid input');
    this.fields = fields;
  }
}

export class NotFound extends Error {
  /** The sentence for people, for example `Chat not found.` */
  constructor(detail = 'Not found.') {
    super(detail);
  }
}

/** The request is well formed, but the current state forbids it. */
export class Refused extends Error {}

/** A rate limit of the contract was exceeded. */
export class Throttled extends Error {
  readonly retryAfterSeconds: number;
  constructor(retryAfterSeconds: number) {
    super(
      `Request was throttled. Expected available in ${retryAfterSeconds} second${retryAfterSeconds === 1 ? '' : 's'}.`,
    );
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Something that Patchbay needs does not work at the moment. Its message is for the log. */
export class Unavailable extends Error {}

export const invalid = (field: string, message: string): Invalid => new Invalid({ [field]: [message] });

export const messages = {
  required: 'This field is required.',
  null: 'This field may not be null.',
  blank: 'This field may not be blank.',
  line: 'Enter one line, without control characters.',
  uuid: 'Must be a valid UUID.',
  url: 'Enter a valid URL.',
  userinfo: 'The address may not contain a user name or a password.',
  phone: 'Enter a valid phone number.',
  unique: 'This field must be unique.',
  choice: (value: string) => `"${value}" is not a valid choice.`,
  maxLength: (n: number) => `Ensure this field has no more than ${n} characters.`,
  maxTotal: (n: number) => `Ensure these fields have no more than ${n} characters in total.`,
  minimum: (n: number) => `Ensure this value is greater than or equal to ${n}.`,
  maximum: (n: number) => `Ensure this value is less than or equal to ${n}.`,
  missingObject: (uuid: string) => `Object with uuid=${uuid} does not exist.`,
} as const;
