import Type from 'typebox';
import { mostVariants } from '../../../../mailings/ab-test/limits.ts';
import { Integer } from '../../../../platform/http/fields.ts';

export const ChooseVariant = Type.Object({ variant: Integer(1, mostVariants) }, { title: 'MailingVariant' });
