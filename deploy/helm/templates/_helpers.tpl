{{- define "patchbay.name" -}}
{{- if contains "patchbay" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-patchbay" (.Release.Name | trunc 40 | trimSuffix "-") }}{{ end }}
{{- end }}

{{- define "patchbay.secret" -}}
{{- .Values.existingSecret | default (include "patchbay.name" .) }}
{{- end }}

{{- define "patchbay.selector" -}}
app.kubernetes.io/name: patchbay
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "patchbay.labels" -}}
{{ include "patchbay.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- /* Refuses values with which the pods could not work together. */ -}}
{{- define "patchbay.check" -}}
{{- if not .Values.settings.PUBLIC_URL }}{{ fail "settings.PUBLIC_URL is required: links and webhook addresses begin with it." }}{{ end }}
{{- if not .Values.existingSecret }}
{{- range list "DATABASE_URL" "PATCHBAY_SECRET_KEY" }}
{{- if not (get $.Values.secrets .) }}{{ fail (printf "Set existingSecret, or secrets.%s." .) }}{{ end }}
{{- end }}
{{- if and .Values.metrics.enabled (not .Values.secrets.PATCHBAY_METRICS_TOKEN) }}{{ fail "Metrics need secrets.PATCHBAY_METRICS_TOKEN: they name projects and channels." }}{{ end }}
{{- end }}
{{- if not (or .Values.settings.S3_BUCKET .Values.files.existingClaim) }}{{ fail "Set settings.S3_BUCKET, or files.existingClaim: the pods share uploaded files." }}{{ end }}
{{- range $name := list "DATABASE_URL" "PATCHBAY_SECRET_KEY" "S3_SECRET_ACCESS_KEY" "SMTP_URL" "PATCHBAY_METRICS_TOKEN" "OTEL_EXPORTER_OTLP_HEADERS" }}
{{- if hasKey $.Values.settings $name }}{{ fail (printf "%s is a secret: it belongs to the secret, not to settings." $name) }}{{ end }}
{{- end }}
{{- range $name := list "PATCHBAY_ROLES" "PATCHBAY_METRICS_PORT" "PATCHBAY_METRICS_HOST" "PATCHBAY_DATA_DIR" "PORT" "HOST" }}
{{- if hasKey $.Values.settings $name }}{{ fail (printf "%s is set by the chart." $name) }}{{ end }}
{{- end }}
{{- end }}
