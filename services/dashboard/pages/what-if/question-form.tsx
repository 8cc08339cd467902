import { Button, Checkbox, Form, FormGroup, FormSelect, FormSelectOption, TextInput } from '@patternfly/react-core';
import { useEffect, useState } from 'react';
import { PickerField } from '../../components/picker-field.tsx';
import {
  emptyWhatIf,
  lostKinds,
  ratioNames,
  type WhatIfForm,
  whatIfFormOf,
  whatIfQuestions,
  whatIfRequestOf,
} from '../../components/what-if-path.ts';
import { text } from '../../texts/texts.ts';
import { MoveFields } from './move-fields.tsx';

interface QuestionFormProps {
  /** The query of the computed question. */
  link: string;
  onRequest: (form: WhatIfForm) => void;
}

interface FieldsProps {
  form: WhatIfForm;
  change: (changes: Partial<WhatIfForm>) => void;
}

/** Selects a question and its parts of the cloud. */
export function QuestionForm({ link, onRequest }: QuestionFormProps) {
  const [form, setForm] = useState(() => whatIfFormOf(new URLSearchParams(link)));
  useEffect(() => setForm(whatIfFormOf(new URLSearchParams(link))), [link]);
  const change = (changes: Partial<WhatIfForm>) => setForm((known) => ({ ...known, ...changes }));
  const isComplete = whatIfRequestOf(form) !== null;
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) onRequest(form);
      }}
    >
      <FormGroup label={text('whatIf.change')} fieldId="what-if-question">
        <FormSelect
          id="what-if-question"
          value={form.question}
          onChange={(_event, value) =>
            setForm({ ...emptyWhatIf, question: whatIfQuestions.find((known) => known === value) ?? form.question })
          }
        >
          {whatIfQuestions.map((question) => (
            <FormSelectOption key={question} value={question} label={text(`whatIf.question.${question}`)} />
          ))}
        </FormSelect>
      </FormGroup>
      <Fields form={form} change={change} onRequest={onRequest} />
      {form.question !== 'move' && (
        <div>
          <Button type="submit" isDisabled={!isComplete}>
            {text('whatIf.compute')}
          </Button>
        </div>
      )}
    </Form>
  );
}

function Fields({ onRequest, ...props }: FieldsProps & Pick<QuestionFormProps, 'onRequest'>) {
  switch (props.form.question) {
    case 'lose':
      return <LostFields {...props} />;
    case 'remove':
      return <Names kind="host" {...props} />;
    case 'add':
      return <AddedFields {...props} />;
    case 'place':
      return <PlacedFields {...props} />;
    case 'ratio':
      return <RatioFields {...props} />;
    case 'move':
      return <MoveFields form={props.form} onRequest={onRequest} />;
  }
}

function Names({ kind, hint, form, change }: FieldsProps & { kind: WhatIfForm['kind']; hint?: string }) {
  return (
    <PickerField
      key={kind}
      id="what-if-names"
      kind={kind}
      label={text(`whatIf.names.${kind}`)}
      {...(hint === undefined ? {} : { hint })}
      chosen={form.names}
      onChange={(names) => change({ names })}
    />
  );
}

function LostFields({ form, change }: FieldsProps) {
  return (
    <>
      <FormGroup label={text('whatIf.lost')} fieldId="what-if-kind">
        <FormSelect
          id="what-if-kind"
          value={form.kind}
          onChange={(_event, value) =>
            change({ kind: lostKinds.find((known) => known === value) ?? form.kind, names: [] })
          }
        >
          {lostKinds.map((kind) => (
            <FormSelectOption key={kind} value={kind} label={text(`whatIf.names.${kind}`)} />
          ))}
        </FormSelect>
      </FormGroup>
      <Names
        kind={form.kind}
        {...(form.kind === 'rack' ? { hint: text('whatIf.rackHint') } : {})}
        form={form}
        change={change}
      />
    </>
  );
}

function Count({ label, hint, form, change }: FieldsProps & { label: string; hint?: string }) {
  return (
    <FormGroup label={label} fieldId="what-if-count">
      <TextInput
        id="what-if-count"
        inputMode="numeric"
        value={form.count}
        {...(hint === undefined ? {} : { placeholder: hint })}
        onChange={(_event, count) => change({ count: count.trim() })}
      />
    </FormGroup>
  );
}

function AddedFields({ form, change }: FieldsProps) {
  return (
    <>
      <Count label={text('whatIf.added')} form={form} change={change} />
      <PickerField
        id="what-if-like"
        kind="host"
        isSingle
        label={text('whatIf.like')}
        chosen={form.like === '' ? [] : [form.like]}
        onChange={([like = '']) => change({ like })}
      />
    </>
  );
}

function PlacedFields({ form, change }: FieldsProps) {
  return (
    <>
      <PickerField
        id="what-if-flavor"
        kind="flavor"
        isSingle
        allowsText
        placeholder={text('whatIf.flavorSearch')}
        label={text('whatIf.flavor')}
        chosen={form.flavor === '' ? [] : [form.flavor]}
        onChange={([flavor = '']) => change({ flavor })}
      />
      <Count label={text('whatIf.placed')} hint={text('whatIf.asManyAsFit')} form={form} change={change} />
      <PickerField
        id="what-if-zone"
        kind="zone"
        isSingle
        label={text('whatIf.zone')}
        hint={text('whatIf.zoneHint')}
        chosen={form.zone === '' ? [] : [form.zone]}
        onChange={([zone = '']) => change({ zone })}
      />
      <Checkbox
        id="what-if-volume"
        label={text('whatIf.fromVolume')}
        isChecked={form.isFromVolume}
        onChange={(_event, isFromVolume) => change({ isFromVolume })}
      />
    </>
  );
}

function RatioFields({ form, change }: FieldsProps) {
  return (
    <>
      {ratioNames.map((name) => (
        <FormGroup key={name} label={text(`whatIf.ratio.${name}`)} fieldId={`what-if-${name}`}>
          <TextInput
            id={`what-if-${name}`}
            inputMode="decimal"
            value={form.ratios[name]}
            placeholder={text('whatIf.ratioStays')}
            onChange={(_event, value) => change({ ratios: { ...form.ratios, [name]: value.trim().replace(',', '.') } })}
          />
        </FormGroup>
      ))}
      <Names kind="host" hint={text('whatIf.allHosts')} form={form} change={change} />
    </>
  );
}
